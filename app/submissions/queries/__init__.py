"""All SQL of submissions."""
