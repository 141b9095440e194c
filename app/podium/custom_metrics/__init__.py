"""Custom metrics: code of organizers that scores tables, in immutable versions."""
