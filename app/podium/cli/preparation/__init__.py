"""Commands that prepare a competition's files, and baselines for it."""
