"""Custom metrics: organizers' code that scores tables, in immutable versions."""
