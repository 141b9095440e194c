"""Use cases of rejudging."""
