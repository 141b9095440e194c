"""Inference: one answer, for pages and commands, to the question of what a file is."""
