"""Use cases of boards."""
