"""Pages by which people come in: signing in, here or elsewhere, and one-time links."""
