"""How sure a score is, and whether another one is better; the session is the sampling unit."""

from app.scoring.uncertainty.influence import Influence, influence

__all__ = ["Influence", "influence"]
