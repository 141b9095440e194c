"""Ground truth: forms that organizers have → one canonical, immutable, hashed frame; its splits."""

from app.scoring.ground_truth.canonical import GroundTruth, GroundTruthCorrupt, Totals

__all__ = ["GroundTruth", "GroundTruthCorrupt", "Totals"]
