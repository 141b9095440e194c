"""A/B tests: random assignment to groups, and reports of click-through rates and of amounts per
user. Online figures for organizers, which never rank any team."""
