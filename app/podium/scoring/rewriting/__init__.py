"""Rewrites submissions of other forms as text of the form `podium`, which the readers then read."""
