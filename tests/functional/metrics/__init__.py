"""Competitions by any metric, from their creation to the reveal."""
