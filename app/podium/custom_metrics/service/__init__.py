"""Use cases of custom metrics."""
