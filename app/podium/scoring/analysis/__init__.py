"""Analyses of scored lists beyond their score."""
