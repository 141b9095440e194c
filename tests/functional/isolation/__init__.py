"""A file that took its judge over, and machines that cannot isolate it."""
