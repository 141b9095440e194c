"""Uploads beside raw sinks of the same HTTP server, and their way to a verdict."""
