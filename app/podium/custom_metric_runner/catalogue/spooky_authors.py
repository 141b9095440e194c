"""Log loss of rescaled probabilities, as in Spooky Author Identification (2017).

A submission has a column for each class. Each row is divided by its sum, and no probability counts
as less than `floor` or more than 1 - `floor`; a row costs minus the logarithm of the probability of
its true class. Less is better.

`per_row` tells the costs themselves. As their mean is the score, Podium finds the standard error,
and what separates two submissions, without running anything again.
"""

import numpy as np
import pandas as pd
from kaggle_metric_utilities import ParticipantVisibleError


def score(
    solution: pd.DataFrame,
    submission: pd.DataFrame,
    row_id_column_name: str,
    column: str = "author",
    floor: float = 1e-15,
) -> float:
    """The mean cost of a row.

    After the division the true authors have 1/4 and 1, of which the costs are 2 log 2 and 0:

    >>> truth = pd.DataFrame({"id": [1, 2], "author": ["EAP", "MWS"]})
    >>> answers = pd.DataFrame({"id": [1, 2], "EAP": [1, 0], "HPL": [2, 0], "MWS": [1, 7]})
    >>> round(score(truth, answers, "id") / np.log(2), 9)
    1.0
    """
    return float(per_row(solution, submission, row_id_column_name, column, floor).mean())


def per_row(
    solution: pd.DataFrame,
    submission: pd.DataFrame,
    row_id_column_name: str,
    column: str = "author",
    floor: float = 1e-15,
) -> np.ndarray:
    """The cost of each row, in the order of the solution."""
    classes = submission.drop(columns=row_id_column_name)
    given = classes.to_numpy(dtype=float)
    if (given < 0).any():
        raise ParticipantVisibleError("A probability is below 0.")
    sums = given.sum(axis=1)
    if not sums.all():
        raise ParticipantVisibleError("All probabilities of a row are 0.")
    # The place of each true class; KeyError, for the organizer, where there is no such column.
    places = [classes.columns.get_loc(name) for name in solution[column]]
    true = given[np.arange(len(given)), places] / sums
    costs: np.ndarray = -np.log(np.clip(true, floor, 1 - floor))
    return costs
