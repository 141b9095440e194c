"""Predicted ratings: reading, truth, metrics, uncertainty."""
