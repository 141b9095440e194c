"""Tables of tests."""
