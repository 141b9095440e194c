"""Computes metrics of the ranking of each query's candidates."""
