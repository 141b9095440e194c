"""All SQL of rejudging: the sets, their judgings, and results before and after."""
