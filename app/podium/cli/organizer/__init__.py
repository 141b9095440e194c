"""Commands of organizers: they speak HTTP."""
