"""Mean RMSLE of several targets, as in Nomad2018: Predicting Transparent Conductors.

Of each target, the root of the mean squared difference of log(1 + value): an error counts in
proportion to the value. Less is better.
"""

import numpy as np
import pandas as pd
from kaggle_metric_utilities import ParticipantVisibleError


def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    """The plain mean, over all target columns, of the root mean squared logarithmic error.

    1 + value is twice as large or half as large as it should be in the second row of `gap`, and in
    both rows of `energy`: in units of log 2, √(1/2) and 1, of which the mean is 0.853553….

    >>> truth = pd.DataFrame({"id": [1, 2], "gap": [0.0, 1.0], "energy": [3.0, 3.0]})
    >>> answers = pd.DataFrame({"id": [1, 2], "gap": [0.0, 3.0], "energy": [1.0, 7.0]})
    >>> round(score(truth, answers, "id") / np.log(2), 6)
    0.853553
    """
    targets = [name for name in solution.columns if name != row_id_column_name]
    errors = []
    for name in targets:
        if (submission[name] <= -1).any():
            raise ParticipantVisibleError(f"{name}: a value is -1 or less, which has no logarithm.")
        differences = np.log1p(submission[name]) - np.log1p(solution[name])
        errors.append(float(np.sqrt(np.mean(differences**2))))
    return sum(errors) / len(errors)
