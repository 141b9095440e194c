"""Routes about a competition: its settings, its texts, its life from the draft to the archive."""
