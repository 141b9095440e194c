"""Commands that need no server: they read files of one's own."""
