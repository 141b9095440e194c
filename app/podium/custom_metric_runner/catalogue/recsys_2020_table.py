"""PR-AUC and relative cross entropy of engagements, as in the RecSys Challenge 2020 (Twitter).

A row is a user and a tweet; a submission has a probability for each way in which the user may
engage with it. The challenge ranked by two numbers for each of them, all four of which are told
here beside the score:

- the area under the curve of precision and recall, whose points are joined by straight lines;
- the relative cross entropy (RCE): by how many percent the cross entropy is below that of giving
  every row the same probability, the share of rows that have the engagement.

The score is the mean area. Numbers of a `Result` are shown where the competition names them as
diagnostics, with own_ before their names: own_rce, own_prauc_like, ….
"""

import polars as pl
from podium_metric import Result
from sklearn.metrics import auc, log_loss, precision_recall_curve


def score(solution: pl.DataFrame, submission: pl.DataFrame, row_id_column_name: str) -> Result:
    """The mean area of all columns of the solution, and the numbers that belong to each.

    Both rows with a like come first, so that the area is 1. The cross entropy is -log(3/4) in
    every row, and -log(1/2) if each is given 1/2: RCE is 100 · log(3/2) / log 2 percent.

    >>> truth = pl.DataFrame({"id": [1, 2, 3, 4], "like": [1, 0, 1, 0]})
    >>> answers = pl.DataFrame({"id": [1, 2, 3, 4], "like": [0.75, 0.25, 0.75, 0.25]})
    >>> result = score(truth, answers, "id")
    >>> result.score, round(result.numbers["rce_like"], 4)
    (1.0, 58.4963)
    """
    areas, entropies = {}, {}
    for name in solution.drop(row_id_column_name).columns:
        true, given = solution[name].to_numpy(), submission[name].to_numpy()
        precision, recall, _ = precision_recall_curve(true, given)
        areas[f"prauc_{name}"] = float(auc(recall, precision))
        ours = log_loss(true, given, labels=[0, 1])
        constant = log_loss(true, [true.mean()] * len(true), labels=[0, 1])
        entropies[f"rce_{name}"] = 100.0 * (1.0 - float(ours / constant))
    rce = sum(entropies.values()) / len(entropies)
    return Result(sum(areas.values()) / len(areas), numbers={"rce": rce, **areas, **entropies})
