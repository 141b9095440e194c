"""Scores at home as documents and as text."""
