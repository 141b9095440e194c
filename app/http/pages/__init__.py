"""What pages of all subjects share: forms, calls of our own API, layout, and words after an act."""
