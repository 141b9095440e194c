"""Ground truth: forms that organizers have → one canonical, immutable, hashed frame; its splits."""

from podium.scoring.truth.canonical import GroundTruth, GroundTruthCorrupt, Totals
from podium.scoring.truth.qrels import looks_like_qrels
from podium.scoring.truth.reading import read_ground_truth, read_published_ids

__all__ = [
    "GroundTruth",
    "GroundTruthCorrupt",
    "Totals",
    "looks_like_qrels",
    "read_ground_truth",
    "read_published_ids",
]
