"""Routes of teams: by their members, and by organizers."""
