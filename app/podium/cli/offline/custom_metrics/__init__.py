"""Custom metrics at home: run in the same children of the sandbox as on a server."""
