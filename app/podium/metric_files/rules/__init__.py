"""Rules of metric files: pure functions."""
