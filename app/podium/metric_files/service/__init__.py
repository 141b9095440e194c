"""Use cases of metric files."""
