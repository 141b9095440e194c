"""Simple recommenders to compare with: truncated test sessions and a training set in, a valid
submission out. Full OTTO size in minutes on two cores; the same input gives the same bytes.

material.py        what they look at, read once
simple.py          random, popular and recent items
companions.py      which items are seen together, and how much
covisitation.py    recommends what goes with the items of a session
factors.py         the same by matrix factorization, with the library `implicit`
writing.py         from ranked items to the rows of a submission
"""

from podium.otto.baselines.writing import NAMES, BaselineName, baseline_rows, write_baseline

__all__ = ["NAMES", "BaselineName", "baseline_rows", "write_baseline"]
