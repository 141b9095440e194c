"""Checks of a submission before it is sent."""
