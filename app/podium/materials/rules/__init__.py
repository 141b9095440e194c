"""The beginning of a ground truth: its form and settings, and the faults of its header."""
