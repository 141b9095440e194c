"""Parameters of commands: options in groups, and the one that every client command has."""
