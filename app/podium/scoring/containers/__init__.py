"""Detects containers of text, and decompresses them within limits."""
