"""A/B tests: random assignment to groups, and reports of click-through rates and of amounts per
user. Online results are for organizers, and never rank any team."""
