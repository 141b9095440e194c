"""Documents of teams, links, rosters and merges."""
