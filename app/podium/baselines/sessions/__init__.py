"""Baselines for sessions: truncated test sessions and a training set in, rows of a submission out.
Full OTTO size in minutes on two cores; the same input gives the same bytes.

material.py        what they look at, read once
lists.py           pieces of ranked lists and how they are put together
covisitation.py    which items are seen together, and lists made from them
factors.py         the same by matrix factorization, with the library `implicit`
rows.py            random, popular and recent items, and the rows of a submission
"""

from podium.baselines.sessions.rows import NAMES, BaselineName, baseline_rows

__all__ = ["NAMES", "BaselineName", "baseline_rows"]
