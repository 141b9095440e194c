"""Use cases of teams, their people and their links."""
