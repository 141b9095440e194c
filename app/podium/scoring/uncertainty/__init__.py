"""Estimates the uncertainty of a score and of the difference of two; the session is the sampling
unit."""

from podium.scoring.uncertainty.estimates import (
    LEVEL,
    SIGMAS,
    Estimate,
    holm,
    tested,
    two_sided_p,
)
from podium.scoring.uncertainty.influence import (
    Influence,
    influence,
    of_objectives,
    standard_errors,
)

__all__ = [
    "LEVEL",
    "SIGMAS",
    "Estimate",
    "Influence",
    "holm",
    "influence",
    "of_objectives",
    "standard_errors",
    "tested",
    "two_sided_p",
]
