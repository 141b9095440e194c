"""Pages of boards: the leaderboard, its charts, and scores compared and taken apart."""
