"""Combines several submissions list by list: blends them into one, or compares them, without a
ground truth.

spool.py      a submission's lists, checked as in a judging, on disk by query
answered.py   the ids that a submission has rows of
sides.py      several spools in the format of the compiled functions, and portions of their queries
blending.py   many lists → one
overlap.py    the overlap of two submissions
converting.py a submission of another form → the same in that of the sample
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
