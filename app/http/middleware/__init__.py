"""What every request passes: limits, compression, counting, security headers, tracing."""
