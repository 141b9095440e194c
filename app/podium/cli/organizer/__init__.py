"""Commands of organizers, which use HTTP."""
