"""Use cases of operations."""
