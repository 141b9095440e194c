"""Analyzes scored submissions beyond their score."""
