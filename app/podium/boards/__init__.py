"""BOARDS: rankings as they are read, charts, comparisons and segments."""
