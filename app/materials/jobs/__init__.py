"""Work on materials that takes longer than a request."""
