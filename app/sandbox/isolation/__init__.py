"""Walls around a child, each from one mechanism of the system."""
