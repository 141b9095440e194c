"""Custom metrics at home: the same children of the sandbox as on a server."""
