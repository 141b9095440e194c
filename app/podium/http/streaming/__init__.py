"""Bodies that are read and written piece by piece, within limits."""
