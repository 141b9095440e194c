"""Defines kinds with numbers for published pairs: ratings, scored pairs, and candidates to rank."""

from __future__ import annotations

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

_DIFFERENCE = ("pair differs", "pairs differ")
_SHORT_LINES = "Write one row per line, and fewer items."

RATINGS = PairKind(
    key="rating",
    engine="podium.scoring.engine.pairs",
    title="Ratings",
    choice="Rating: a predicted number for each pair",
    plural="pairs",
    first_metric="rmse",
    usual_metrics=("rmse", "mae"),
    form_metric="rmse",
    difference=_DIFFERENCE,
    rules=(_ONE_NUMBER, *_OF_ROWS, *_OF_CONTEXTS),
    row_hint="ROW_OF_PAIRS",
    missing_hint="MISSING_PAIRS",
    recognizer=RATED_ROWS,
    published="pair",
    truth_rows="pairs",
    short_lines=_SHORT_LINES,
    has_numbers=True,
    number_words="the number that you predict",
    depth=1,
    had_usage=True,
    told_by="rating",
    example_numbers=(3.5, 4, 1.25),
)

SCORES = PairKind(
    key="scores",
    engine="podium.scoring.engine.pairs",
    title="Scored pairs",
    choice="Scored pairs: a probability, or any score, for each pair",
    plural="pairs",
    first_metric="auc",
    usual_metrics=("auc", "gauc", "log_loss", "pr_auc", "rce"),
    form_metric="auc",
    difference=_DIFFERENCE,
    rules=(*_OF_ROWS, *_OF_CONTEXTS),
    row_hint="ROW_OF_PAIRS",
    missing_hint="MISSING_PAIRS",
    recognizer=SCORED_ROWS,
    published="pair",
    truth_rows="pairs",
    short_lines=_SHORT_LINES,
    has_numbers=True,
    takes_several_numbers=True,
    has_relevances=True,
    takes_probabilities=True,
    sample_number="0.5",
    number_words="a number, the higher the surer you are",
    untold_by_samples=("the range of numbers",),
)

CANDIDATES = PairKind(
    key="rerank",
    engine="podium.scoring.engine.pairs",
    title="Reranked candidates",
    choice="Reranking: an order of each query's candidates",
    plural="pairs",
    first_metric="ndcg@10",
    usual_metrics=("ndcg@10", "mrr_all", "mrr", "gauc", "hit_rate@5"),
    form_metric="ndcg@10",
    difference=_DIFFERENCE,
    rules=(_ONE_NUMBER, *_OF_ROWS, WITH_ITEMS, *_OF_CONTEXTS),
    row_hint="ROW_OF_PAIRS",
    missing_hint="MISSING_PAIRS",
    recognizer=RERANKED_ROWS,
    published="candidate",
    truth_rows="pairs",
    short_lines=_SHORT_LINES,
    has_numbers=True,
    has_candidates=True,
    has_relevances=True,
    number_words="a number by which a query's candidates are ordered, the highest first",
)
