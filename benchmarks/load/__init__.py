"""The last hour of a competition of 3,000 teams, on the cluster."""
