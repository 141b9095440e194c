"""INTEGRITY: signs of unfair play, for organizers to look at."""
