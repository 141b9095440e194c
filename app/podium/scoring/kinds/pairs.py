"""Defines kinds with numbers for published pairs: ratings, scored pairs, and candidates to rank."""

from __future__ import annotations

from dataclasses import replace

from podium.scoring.kinds.kind import (
    NO_LISTS,
    ONLY_TABLES,
    WITH_ITEMS,
    Kind,
    Rule,
    WithColumns,
    WithIds,
    only,
)
from podium.scoring.kinds.pair_rows import RATED_ROWS, RERANKED_ROWS, SCORED_ROWS
from podium.scoring.kinds.words import query_words

MAX_TARGETS = 16
"""The most numbers of a pair."""


class PairKind(Kind):
    """A kind with a number for each published pair, and each objective."""

    def unit(self, described: WithIds) -> tuple[str, str]:
        """Returns “pair”, as pairs are scored."""
        return "pair", "pairs"

    def split_unit(self, described: WithIds) -> tuple[str, str]:
        """Returns the word for users, or for contexts."""
        is_context = described.unit == "context"
        return query_words(described.context_column if is_context else described.id_column)

    def key_columns(self, described: WithIds) -> tuple[str, ...]:
        """Lists the columns of users, and of items and contexts where there are any."""
        names = (described.id_column, described.item_column, described.context_column)
        return tuple(filter(None, names))

    def value_columns(self, described: WithColumns) -> tuple[str, ...]:
        """Lists the columns of numbers."""
        return described.number_columns

    def named_columns(self) -> tuple[str, ...]:
        """Adds those of items, contexts and groups."""
        return (*super().named_columns(), "item_column", "context_column", "group_column")

    def row_words(self, described: WithColumns) -> tuple[str, ...]:
        """Describes its ids, and its numbers."""
        several = len(described.number_columns)
        numbers = "a number" if several == 1 else f"{several} numbers"
        ids = ("a user", "an item", "a context")[: len(self.key_columns(described))]
        return ", ".join(ids), numbers


_ONE_NUMBER = Rule(
    "objectives", "a {kind} task has one objective", lambda given: len(given.objectives) > 1
)
_OF_ROWS = (
    Rule(
        "objectives",
        f"a {{kind}} task has at most {MAX_TARGETS} objectives, a column each",
        lambda given: len(given.objectives) > MAX_TARGETS,
    ),
    only("missing_rows", "reject", "a {kind} task rejects missing rows: no number stands for none"),
    only("duplicates", "refuse", "a {kind} task refuses duplicates: a pair has one number"),
    NO_LISTS,
)
_OF_CONTEXTS = (
    Rule(
        "context_column",
        "a context stands beside a user and an item: name both",
        lambda given: bool(given.context_column) and not given.item_column,
    ),
    Rule(
        "unit",
        "the unit is the context, and there is no context_column",
        lambda given: given.unit == "context" and not given.context_column,
    ),
    *ONLY_TABLES,
)

_PAIRS = PairKind(
    key="",
    engine="podium.scoring.engine.pairs",
    title="",
    choice="",
    plural="pairs",
    first_metric="",
    usual_metrics=(),
    form_metric="",
    difference=("pair differs", "pairs differ"),
    rules=(*_OF_ROWS, *_OF_CONTEXTS),
    row_hint="ROW_OF_PAIRS",
    missing_hint="MISSING_PAIRS",
    recognizer=SCORED_ROWS,
    published="pair",
    truth_rows="pairs",
    short_lines="Write one row per line, and fewer items.",
    has_numbers=True,
    measured="numbers of pairs",
    family="pair",
)
"""The properties that all kinds of pairs share."""

RATINGS = replace(
    _PAIRS,
    key="rating",
    title="Ratings",
    choice="Rating: a predicted number for each pair",
    first_metric="rmse",
    usual_metrics=("rmse", "mae"),
    family="rating",
    form_metric="rmse",
    rules=(_ONE_NUMBER, *_PAIRS.rules),
    recognizer=RATED_ROWS,
    number_words="the number that you predict",
    depth=1,
    had_usage=True,
    telltale_column="rating",
    example_numbers=(3.5, 4, 1.25),
)

SCORES = replace(
    _PAIRS,
    key="scores",
    title="Scored pairs",
    choice="Scored pairs: a probability, or any score, for each pair",
    first_metric="auc",
    usual_metrics=("auc", "gauc", "log_loss", "pr_auc", "rce"),
    form_metric="auc",
    takes_several_numbers=True,
    has_relevances=True,
    takes_probabilities=True,
    sample_number="0.5",
    number_words="a number, the higher the surer you are",
    untold_by_samples=("the range of numbers",),
)

CANDIDATES = replace(
    _PAIRS,
    key="rerank",
    title="Reranked candidates",
    choice="Reranking: an order of each query's candidates",
    first_metric="ndcg@10",
    usual_metrics=("ndcg@10", "mrr_all", "mrr", "gauc", "hit_rate@5"),
    form_metric="ndcg@10",
    rules=(_ONE_NUMBER, *_OF_ROWS, WITH_ITEMS, *_OF_CONTEXTS),
    recognizer=RERANKED_ROWS,
    published="candidate",
    has_candidates=True,
    has_relevances=True,
    number_words="a number by which a query's candidates are ordered, the highest first",
)
