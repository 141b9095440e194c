"""Tables: reading, solutions, scores."""
