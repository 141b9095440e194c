"""Compiled functions that no other part is the measure of."""
