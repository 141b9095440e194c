"""Commands that need no server: they read files of the user's own."""
