"""Builds submissions in other forms than that of the sample."""
