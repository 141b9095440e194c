"""Rules of custom metrics: pure functions."""
