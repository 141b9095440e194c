"""Calls of organizers and the administrator, by what they are about."""
