"""TEAMS: people of a competition: teams, merges, co-organizers, one-time links."""
