"""Computes every number of a verdict from predictions and the truth, for each form of task."""
