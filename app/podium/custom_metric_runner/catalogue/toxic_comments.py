"""Mean ROC AUC of several labels, as in the Toxic Comment Classification Challenge (Jigsaw, 2018).

A submission has a probability for each label. Only the order of the rows counts, label by label.
"""

import pandas as pd
from sklearn.metrics import roc_auc_score


def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    """The plain mean of the areas under the ROC curves of all label columns.

    Of the pairs of a row with the label and one without it, `toxic` has one of two in the right
    order, and `insult` two of two:

    >>> truth = pd.DataFrame({"id": [1, 2, 3], "toxic": [0, 0, 1], "insult": [0, 1, 1]})
    >>> answers = pd.DataFrame(
    ...     {"id": [1, 2, 3], "toxic": [0.1, 0.4, 0.3], "insult": [0.2, 0.6, 0.9]}
    ... )
    >>> score(truth, answers, "id")
    0.75
    """
    labels = [name for name in solution.columns if name != row_id_column_name]
    areas = [float(roc_auc_score(solution[name], submission[name])) for name in labels]
    return sum(areas) / len(areas)
