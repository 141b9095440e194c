"""Routes about people: accounts, sessions and tokens, links for them, what administrators do."""
