"""Several submissions side by side, list by list: blended into one, or compared. No ground truth.

spool.py      a submission's lists, checked as the judge does, on disk by query
answered.py   the ids that a submission has rows of
sides.py      several spools as the compiled functions take them, and portions of their queries
blending.py   many lists → one
overlap.py    how much two submissions have in common
"""

from podium.scoring.combining.answered import answered_ids
from podium.scoring.combining.blending import METHODS, Method, blended
from podium.scoring.combining.overlap import common_hits, overlap
from podium.scoring.combining.spool import ListSpool, spooled, spooled_with_hits

__all__ = [
    "METHODS",
    "ListSpool",
    "Method",
    "answered_ids",
    "blended",
    "common_hits",
    "overlap",
    "spooled",
    "spooled_with_hits",
]
