"""Counts, spans, and names of browsers, as people read them on pages."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Protocol

from podium.scoring.task import query_words


class UnitOwner(Protocol):
    """A competition, as far as the word for the things that it scores depends on it."""

    @property
    def task(self) -> str:
        """The task: `ranking`, `table`, or one of pairs."""

    @property
    def id_column(self) -> str:
        """The column of the ids."""


def unit_words(competition: UnitOwner) -> tuple[str, str]:
    """The word for one of the things that are scored, and for several: pairs where they are, or
    rows of tables."""
    if competition.task == "table":
        return "row", "rows"
    if competition.task != "ranking":
        return "pair", "pairs"
    return query_words(competition.id_column)


class SplitOwner(UnitOwner, Protocol):
    """A competition, as far as the word for the things that splits divide depends on it."""

    @property
    def unit(self) -> str:
        """For pairs: `user`, or `context`."""

    @property
    def context_column(self) -> str:
        """The column of the contexts."""


def split_words(competition: SplitOwner) -> tuple[str, str]:
    """The word for one of the things that splits divide and comparisons are paired by, and for
    several: never pairs, but whose pairs they are."""
    is_context = competition.task != "ranking" and competition.unit == "context"
    return query_words(competition.context_column if is_context else competition.id_column)


class PairOwner(Protocol):
    """A competition of pairs, as far as the words for the numbers that it wants depend on it."""

    @property
    def task(self) -> str:
        """One of the tasks of pairs."""

    @property
    def wants_probabilities(self) -> bool:
        """True if a metric refuses numbers other than probabilities."""


def number_words(competition: PairOwner) -> str:
    """The meaning of the number in a row of pairs."""
    if competition.wants_probabilities:
        return "a probability from 0 to 1"
    return _NUMBER_WORDS[competition.task]


_NUMBER_WORDS = {
    "rating": "the number that you predict",
    "scores": "a number, the higher the surer you are",
    "rerank": "a number by which a query's candidates are ordered, the highest first",
}

TASK_WORDS: dict[str, str] = {
    "ranking": "Lists of items",
    "rating": "Ratings",
    "scores": "Scored pairs",
    "rerank": "Reranked candidates",
    "table": "Tables",
}
"""Kinds of task as people say them."""

METRIC_WORDS = {
    "own": "Custom metric",
    "own_error": "Custom metric",
    "recall": "Recall",
    "recall_capped": "Recall",
    "precision": "Precision",
    "hit_rate": "Hit rate",
    "mrr": "MRR",
    "mrr_all": "MRR of all",
    "map": "MAP",
    "map_capped": "MAP",
    "ndcg": "NDCG",
    "ndcg_exp": "NDCG",
    "dcg": "DCG",
    "dcg_exp": "DCG",
    "cg": "Cumulative gain",
    "f1": "F1",
    "mean_f1": "Mean F1",
    "r_precision": "R-precision",
    "precision_answered": "Precision of answers",
    "rbp": "RBP",
    "err": "ERR",
    "arhr": "ARHR",
    "coverage": "Coverage",
    "novelty": "Novelty",
    "ild": "Diversity",
    "serendipity": "Serendipity",
    "gini": "Gini",
    "entropy": "Entropy",
    "arp": "Average popularity",
    "aplt": "Long tail",
    "miscalibration": "Miscalibration",
    "rmse": "RMSE",
    "mae": "MAE",
    "auc": "AUC",
    "gauc": "GAUC",
    "gauc_weighted": "GAUC, weighted",
    "average_precision": "Average precision",
    "pr_auc": "PR AUC",
    "log_loss": "Log loss",
    "normalized_entropy": "Normalized entropy",
    "rce": "RCE",
    "brier": "Brier score",
    "ece": "Calibration error",
    "accuracy": "Accuracy",
    "f1_binary": "F1",
    "balanced_accuracy": "Balanced accuracy",
    "f1_macro": "F1, macro",
    "f1_micro": "F1, micro",
    "f1_weighted": "F1, weighted",
    "mcc": "MCC",
    "kappa": "Kappa",
    "kappa_quadratic": "Quadratic kappa",
    "auc_mean": "AUC, mean of columns",
    "auc_ovr_macro": "AUC of classes",
    "auc_ovr_weighted": "AUC of classes, weighted",
    "log_loss_normalized": "Log loss",
    "mse": "MSE",
    "rmsle": "RMSLE",
    "mcrmse": "MCRMSE",
    "mape": "MAPE",
    "smape": "SMAPE",
    "pinball": "Pinball loss",
    "r2": "R²",
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "concordance": "C-index",
    "jaccard_rle": "Jaccard of masks",
    "dice_rle": "Dice of masks",
    "levenshtein": "Edit distance",
    "levenshtein_normalized": "Edit distance, normalized",
    "bleu": "BLEU",
}
"""Names of the metrics as people say them; which variant it is, their formula says."""


def metric_words(full_id: str) -> str:
    """The name of a metric as people say it.

    >>> metric_words("recall_capped@20:micro"), metric_words("rbp_95@20"), metric_words("own_error")
    ('Recall@20', 'RBP@20', 'Custom metric')
    """
    name, at, depth = full_id.partition(":")[0].partition("@")
    return METRIC_WORDS.get(re.sub("_[0-9]{2}$", "", name), name) + at + depth


def count_of(count: int, one: str, many: str | None = None) -> str:
    """`1 team`, `2,600 teams`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def decimals_of(value: float | Decimal | None, decimals: int) -> str:
    """A score with all its decimals, so that a column of them can be compared; a dash for none.

    >>> decimals_of(0.5, 5), decimals_of(None, 5)
    ('0.50000', '–')
    """
    return "–" if value is None else f"{value:.{decimals}f}"


SPANS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def duration_of(seconds: float) -> str:
    """A duration rounded down to whole units, of which there are at least two or exactly one: `1
    day`, `36 hours`."""
    whole = max(1, int(seconds))
    name, length = next(
        (name, length) for name, length in SPANS if whole >= 2 * length or whole == length
    )
    return count_of(whole // length, name)


BROWSERS = (
    ("Edge", r"Edg\w*/(\d+)"),
    ("Opera", r"OPR/(\d+)"),
    ("Firefox", r"(?:Firefox|FxiOS)/(\d+)"),
    ("Chrome", r"(?:Chrome|CriOS)/(\d+)"),
    ("Safari", r"Version/(\d+).*Safari/"),
)
"""The names of browsers and the patterns of their user agents. Most use the names of others too:
those come later."""

SYSTEMS = (
    ("Android", "Android"),
    ("iOS", "iPhone|iPad"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X"),
    ("Linux", "Linux"),
)


def browser_of(user_agent: str) -> str:
    """The name of a browser, as far as it tells: `Firefox 140 on Linux`; else its user agent as it
    came."""
    for name, pattern in BROWSERS:
        found = re.search(pattern, user_agent)
        if found:
            system = next((words for words, p in SYSTEMS if re.search(p, user_agent)), None)
            return f"{name} {found[1]}" + (f" on {system}" if system else "")
    return user_agent or "a browser without a name"
