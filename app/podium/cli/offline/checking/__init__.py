"""Checking a submission before it is sent."""
