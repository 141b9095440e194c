"""EDGE: HTTP in, use cases called, HTTP out. No rules, no SQL."""
