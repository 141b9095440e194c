"""INTEGRITY: what organizers look at to find unfair play."""
