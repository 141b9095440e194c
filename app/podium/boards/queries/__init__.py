"""All SQL of boards. Private scores are named by `ties` alone, never where public rows are read."""
