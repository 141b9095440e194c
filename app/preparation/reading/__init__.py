"""A file of interactions as it comes → users, items, ratings, times; or the lines that are wrong."""
