"""The cost of a board's page beside a bare endpoint, on a season of 2,600 teams."""
