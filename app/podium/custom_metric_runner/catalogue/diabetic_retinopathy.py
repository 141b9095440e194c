"""Quadratic weighted kappa, as in Diabetic Retinopathy Detection (2015) and APTOS 2019.

Two raters put each row into one of the grades 0, 1, 2, …; a disagreement costs the square of its
distance. Kappa is 1 minus the cost over the cost that chance would have, if both raters gave their
grades as often as they do: 1 for full agreement, 0 for chance, below 0 for worse.
"""

import numpy as np
import pandas as pd
from kaggle_metric_utilities import ParticipantVisibleError


def score(
    solution: pd.DataFrame,
    submission: pd.DataFrame,
    row_id_column_name: str,
    column: str = "diagnosis",
    grades: int = 5,
) -> float:
    """Kappa of the two columns of this name.

    One of four rows is wrong, by one grade: a cost of 1. By chance, the grades 0, 1, 2, 2 and
    0, 1, 1, 2 would cost (0 + 1 + 1 + 4 + 1 + 0 + 0 + 1 + 2 · (4 + 1 + 1 + 0)) / 4 = 5.

    >>> truth = pd.DataFrame({"id": [1, 2, 3, 4], "diagnosis": [0, 1, 2, 2]})
    >>> answers = pd.DataFrame({"id": [1, 2, 3, 4], "diagnosis": [0, 1, 1, 2]})
    >>> score(truth, answers, "id", grades=3)
    0.8

    What a participant may read is raised by this name:

    >>> score(truth, answers, "id", grades=2)
    Traceback (most recent call last):
    ParticipantVisibleError: diagnosis: the grades are 0 to 1.
    """
    true, given = solution[column].to_numpy(), submission[column].to_numpy()
    if given.min() < 0 or given.max() >= grades:
        raise ParticipantVisibleError(f"{column}: the grades are 0 to {grades - 1}.")
    seen = np.zeros((grades, grades))
    np.add.at(seen, (true, given), 1)
    by_chance = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / len(true)
    steps = np.arange(grades)
    costs = (steps[:, None] - steps[None, :]) ** 2
    expected = float((costs * by_chance).sum())
    if expected == 0:
        # All rows have one and the same grade, and both raters say so.
        return 1.0
    return 1.0 - float((costs * seen).sum()) / expected
