"""Streams of the process: the encoding and the ends of the standard ones, pipes as files."""
