"""The uncertainty of a score and of the difference of two; the session is the sampling unit."""

from podium.scoring.uncertainty.estimates import LEVEL, SIGMAS, Estimate, holm, two_sided_p
from podium.scoring.uncertainty.influence import Influence, influence

__all__ = ["LEVEL", "SIGMAS", "Estimate", "Influence", "holm", "influence", "two_sided_p"]
