"""JUDGING: leases, verdicts and scores of judgings."""
