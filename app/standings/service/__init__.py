"""Use cases of standings."""
