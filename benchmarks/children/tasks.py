"""The task of a small metric, which loads its packages when it is run, as organizers' files do."""

from __future__ import annotations

from benchmarks.children import Measured, SmallMetric
from podium.sandbox.registry import Progress, registered


def score(_: Progress, task: SmallMetric) -> Measured:
    """The area under the curve of a table that is made here."""
    import numpy as np
    import pandas as pd
    from sklearn.metrics import roc_auc_score

    drawn = np.random.default_rng(1).random(task.rows)
    frame = pd.DataFrame({"guess": drawn, "truth": drawn > 0.5})
    return Measured(score=float(roc_auc_score(frame["truth"], frame["guess"])))


TASKS = dict([registered(SmallMetric, score)])
