"""What many ask for is kept for a moment; what costs much is done one at a time."""
