"""STANDINGS: the stored rows of boards and the visibility of scores, updated with every verdict."""
