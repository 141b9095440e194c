"""Predictions beside what is true: every number of a verdict, for each form of task."""
