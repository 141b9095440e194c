"""Competitions that leave an installation, and come into another one."""
