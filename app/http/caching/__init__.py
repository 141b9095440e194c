"""Answers that are kept for others who ask the same, and work that is done once for all."""
