"""Middleware of every request: limits, compression, counting, security headers, tracing."""
