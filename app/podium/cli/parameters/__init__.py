"""Parameters of commands: groups of options, and the option that all client commands share."""
