"""Authentication of requests, by token or browser session, and signing in."""
