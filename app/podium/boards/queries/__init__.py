"""All SQL of boards. Private scores are read by `ties` alone, never by queries of public rows."""
