"""Streams of the process: encoding and closing of the standard ones, and pipes in place of
files."""
