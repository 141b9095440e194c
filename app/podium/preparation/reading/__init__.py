"""A file of interactions as it comes → users, items, ratings, times; or lines that are wrong."""
