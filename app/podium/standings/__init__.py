"""STANDINGS: the stored rows of boards and what may be shown, written with every verdict."""
