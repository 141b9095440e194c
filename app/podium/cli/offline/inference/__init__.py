"""Infers settings from files that nothing describes, and explains the result."""
