"""Metrics of the order of each query's candidates."""
