"""Routes of submissions: on their way in, in pieces or at once, and what happens to them."""
