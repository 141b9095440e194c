"""Competitions as a whole, going out and coming in: archives, folders without a server."""
