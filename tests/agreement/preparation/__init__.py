"""Preparation of interactions, as loops that follow the definitions do it."""
