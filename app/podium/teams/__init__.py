"""TEAMS: people of a competition: teams, merges, co-organizers, links, rosters."""
