"""Use cases of submissions."""
