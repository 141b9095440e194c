"""Containers of text: what a file is, and its bytes decompressed within limits."""
