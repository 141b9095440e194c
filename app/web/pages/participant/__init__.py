"""Pages for participants, and for those who may become some."""
