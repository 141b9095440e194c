"""Calls of organizers and the administrator, by subject."""
