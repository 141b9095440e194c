"""Uploads beside raw sinks of the same HTTP server."""
