"""ARCHIVES: a whole competition as one file, taken out and brought in, and its static site."""
