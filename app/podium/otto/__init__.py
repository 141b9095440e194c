"""OTTO-shaped data: sessions, labels, synthetic competitions and baselines. Files in, files out."""
