"""RULES. Pure: no database, no clock (time is an argument), no files, no scoring."""
