"""Other forms of submissions: what they are rewritten as, and what is refused."""
