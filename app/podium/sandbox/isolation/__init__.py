"""Isolation of a child, one module for each mechanism of the operating system."""
