"""The shared parts of pages of all subjects: forms, calls of our own API, layout, and flash
messages."""
