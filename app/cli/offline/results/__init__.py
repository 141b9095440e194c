"""What a score at home is told as."""
