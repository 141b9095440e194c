"""Use cases of competitions."""
