"""ARCHIVES: export and import of a whole competition as one file, and its static site."""
