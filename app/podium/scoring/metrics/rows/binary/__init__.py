"""Computes metrics of two classes: of decisions by a threshold, and of areas under curves."""
