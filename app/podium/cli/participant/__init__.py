"""Commands of participants: they speak HTTP."""
