"""OTTO-shaped data: the forms of sessions and labels, and synthetic competitions."""
