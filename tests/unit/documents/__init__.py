"""The statements of documents are true: versions, links, commands, settings, decisions."""
