"""Infers the format and the settings of a file, in one way for pages and commands."""
