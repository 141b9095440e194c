"""All SQL of rejudging."""
