"""Use cases of archives: export and import of a whole competition, also of former versions."""
