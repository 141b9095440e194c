"""Reads a file of interactions into users, items, ratings and times, or finds the lines at
fault."""
