"""The parts of load and soak runs that say what was sent, and what is true of it."""
