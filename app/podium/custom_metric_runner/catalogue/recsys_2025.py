"""Representations of users, judged by a small model, as in the RecSys Challenge 2025 (Synerise).

A submission has an embedding of each user: one number in each column. The metric trains the same
small network for every submission, and scores what it predicts of other users. The solution has:

- `role`: `train` for the users that the network learns from. Their `Usage` is *Both*, so that the
  public and the private run have them; all others are predicted;
- `churn`: 1 for users who leave;
- columns that begin with `buys_`, two or more: 1 for users who buy from this category.

The score is the mean of two tasks. That of churn is the area under the ROC curve (`churn`). That of
the categories is 0.8 · `auroc` + 0.1 · `novelty` + 0.1 · `diversity`:

- `auroc`: the mean area under the ROC curve of all categories;
- `novelty`: 1 minus the popularity, among the users for training, of the predicted categories;
- `diversity`: the mean entropy of the predicted categories of a user, 1 where all are equal.

In the last two, a user's predictions are divided by their sum.

Nothing is left to chance: the network starts from a fixed seed and sees the rows in their order,
so that the same file has the same score whenever it is judged.
"""

import warnings

import numpy as np
import polars as pl
from podium_metric import ParticipantVisibleError, Result
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import roc_auc_score
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

HIDDEN, SEED = 32, 2025


def score(
    solution: pl.DataFrame,
    submission: pl.DataFrame,
    row_id_column_name: str,
    epochs: int = 200,
) -> Result:
    """The mean score of both tasks, after so many passes over the users for training.

    The embedding tells who leaves and who buys what, and both categories are as popular:

    >>> role = ["train"] * 4 + ["test"] * 2
    >>> labels = [1, 0, 1, 0, 1, 0]
    >>> truth = pl.DataFrame({"id": range(6), "role": role, "churn": labels, "buys_tea": labels})
    >>> truth = truth.with_columns(buys_rum=1 - truth["buys_tea"])
    >>> answers = pl.DataFrame({"id": range(6), "e0": [2.0 * label for label in labels]})
    >>> numbers = score(truth, answers, "id", epochs=20).numbers
    >>> numbers["churn"], numbers["auroc"], round(numbers["novelty"], 9)
    (1.0, 1.0, 0.5)
    """
    is_training = (solution["role"] == "train").to_numpy()
    categories = [name for name in solution.columns if name.startswith("buys_")]
    targets = solution.select("churn", *categories).to_numpy()
    embeddings = submission.drop(row_id_column_name).to_numpy()
    if np.ptp(embeddings, axis=0).max() == 0:
        raise ParticipantVisibleError("All users have the same embedding.")

    predicted = _predicted(
        embeddings[is_training], targets[is_training], embeddings[~is_training], epochs
    )
    true = targets[~is_training]
    churn = float(roc_auc_score(true[:, 0], predicted[:, 0]))
    auroc = float(roc_auc_score(true[:, 1:], predicted[:, 1:], average="macro"))
    shares = predicted[:, 1:] / predicted[:, 1:].sum(axis=1, keepdims=True)
    popularity = targets[is_training, 1:].mean(axis=0)
    novelty = 1.0 - float((shares @ popularity).mean())
    entropies = -(shares * np.log(shares)).sum(axis=1)
    diversity = float(entropies.mean() / np.log(shares.shape[1]))
    of_categories = 0.8 * auroc + 0.1 * novelty + 0.1 * diversity
    return Result(
        (churn + of_categories) / 2,
        numbers={"churn": churn, "auroc": auroc, "novelty": novelty, "diversity": diversity},
    )


def _predicted(
    known: np.ndarray, targets: np.ndarray, asked: np.ndarray, epochs: int
) -> np.ndarray:
    """The probability of each target for each row of `asked`: one hidden layer, trained on all
    `known` rows at a time."""
    scaler = StandardScaler().fit(known)
    network = MLPClassifier(
        (HIDDEN,),
        activation="tanh",
        alpha=0,
        batch_size=len(known),
        learning_rate_init=0.01,
        max_iter=epochs,
        n_iter_no_change=epochs,
        shuffle=False,
        random_state=SEED,
    )
    with warnings.catch_warnings():
        # It is stopped after so many passes, and is not expected to be at its end.
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(scaler.transform(known), targets)
    # No probability is 0, which has no logarithm.
    predicted: np.ndarray = np.clip(network.predict_proba(scaler.transform(asked)), 1e-9, 1)
    return predicted
