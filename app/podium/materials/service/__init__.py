"""Use cases of materials."""
