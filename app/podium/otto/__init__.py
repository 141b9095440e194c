"""OTTO-shaped data: the formats of sessions and labels, and synthetic competitions."""
