"""What scored lists are like, beyond their score."""
