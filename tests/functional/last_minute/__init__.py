"""What one process answers while very many people write at the same moment."""
