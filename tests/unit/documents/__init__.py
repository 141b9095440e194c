"""What the documents say is true: versions, links, commands, settings, decisions."""
