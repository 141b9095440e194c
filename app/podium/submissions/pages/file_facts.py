"""The facts by which the page to submit looks at a file before it is sent: columns, kinds of ids,
and every advice that the server would give."""

from __future__ import annotations

import json
from collections.abc import Iterator

from podium.competitions.pages.layout import CompetitionLayout
from podium.competitions.schemas.competitions import CompetitionOut
from podium.scoring.column_kinds import takes_empty
from podium.scoring.containers.foreign import KINDS
from podium.scoring.hints.texts import Hint
from podium.scoring.kinds import kind_of
from podium.scoring.names import header_of
from podium.scoring.rows.keys import ID_WORDS
from podium.scoring.task import MAX_K, ORDER_COLUMN


def facts_of(layout: CompetitionLayout) -> dict[str, str | int]:
    """The facts about a file that `submit_check.js` needs, as attributes of the form."""
    competition = layout.competition
    names, kind = list(competition.objectives), kind_of(competition.task)
    return {
        "data-slug": layout.slug,
        "data-form": kind.plural,
        "data-columns": header_of(competition.columns),
        "data-numbers": len(competition.number_columns) if kind.has_numbers else 0,
        "data-forms": ",".join(competition.forms),
        "data-item-column": competition.item_column,
        "data-order-column": ORDER_COLUMN if kind.has_candidates else "",
        "data-row-hint": Hint[kind.row_hint].format(*kind.row_words(competition)),
        "data-missing-hint": Hint[kind.missing_hint],
        "data-probabilities": int(competition.wants_probabilities),
        # Where there is one objective, ids do not name it.
        "data-objectives": ",".join(names) if kind.has_lists and len(names) > 1 else "",
        "data-query-ids": competition.query_ids,
        "data-item-ids": competition.item_ids,
        "data-context-ids": competition.context_ids,
        "data-roles": ",".join(_roles(competition)),
        "data-duplicates": competition.submission_duplicates,
        "data-depth": _depth(competition),
        "data-table": _table(competition),
        "data-foreign": json.dumps({each.name: each.advice for each in KINDS.values()}),
        "data-hints": json.dumps(dict(Hint.__members__), ensure_ascii=False),
        "data-rows": competition.counts.published_ids,
        "data-missing": competition.missing_rows,
        "data-max-bytes": competition.max_upload_bytes,
        "data-max-expanded": competition.max_expanded_bytes,
    }


def _roles(competition: CompetitionOut) -> Iterator[str]:
    """The word for each id of a pair, in the order of the columns."""
    columns = (competition.id_column, competition.item_column, competition.context_column)
    return (role for role, column in zip(ID_WORDS, columns, strict=True) if column)


def _depth(competition: CompetitionOut) -> int:
    """The number of items of a list that count."""
    metrics = (*competition.objective_metrics.values(), *competition.diagnostics)
    return max(metric.k or MAX_K for metric in metrics)


def _table(competition: CompetitionOut) -> str:
    """The columns of a table, as JSON."""
    columns = [choice.column() for choice in competition.table_columns]
    facts = [{**each.to_dict(), "takes_empty": takes_empty(each)} for each in columns]
    return json.dumps(facts, ensure_ascii=False)
