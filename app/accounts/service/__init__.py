"""Use cases of accounts."""
