"""Gives advice on problems: its texts, and the detection of common mistakes."""
