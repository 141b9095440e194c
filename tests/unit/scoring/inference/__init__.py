"""Guesses of what a file is."""
