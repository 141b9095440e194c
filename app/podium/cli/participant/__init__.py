"""Commands of participants, which use HTTP."""
