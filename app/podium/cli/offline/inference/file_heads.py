"""The beginnings of the user's files: their columns, and the settings that fit their rows. The
description in a prepared folder takes precedence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from podium.cli.offline.described import dataset_settings, objectives_beside
from podium.errors import NotConfigured
from podium.scoring.inference import heads
from podium.scoring.inference.guessing import not_utf_8
from podium.scoring.inference.heads import (
    guess_at,
    has_leading_zeros,
    is_json,
    looks_like_qrels,
    names_in,
)
from podium.scoring.kinds.first_rows import Guess
from podium.scoring.kinds.list_rows import ONE_ITEM
from podium.scoring.problems import FileRejected

QRELS_COLUMNS = ("topic", "docno", "relevance")


def head_of(known: Path, forms: Iterable[str] = ()) -> bytes:
    """Reads the first lines of a file, in the encoding of these forms. Raises `NotConfigured`."""
    try:
        return heads.head_of(known, forms)
    except FileRejected as failure:
        raise NotConfigured(f"{known}: {failure}") from None


def table_head(known: Path, forms: Iterable[str] = ()) -> Guess:
    """Reads the beginning of a table in any container and the encoding of these forms, with the
    settings that fit its rows, by the same guess as for a new competition's ground truth; qrels
    have no header. JSON lines of labels in a prepared folder have no columns: the folder names
    their objectives."""
    if looks_like_qrels(known):
        return Guess("pairs", columns=QRELS_COLUMNS)
    head = head_of(known, forms)
    if is_json(head):
        if objectives_beside(known):
            return Guess()
        raise NotConfigured(
            f"{known} is JSON, which names objectives, and --metric means a single one: use"
            " --preset with otto, or with a file of settings that has the objectives and the"
            ' metric, such as {"objectives": {"clicks": 1, "orders": 2}, "metric": "ndcg@10"}.'
        )
    guess = guess_at(head)
    if guess.encoding:
        # Here no file is read in an encoding that nothing names.
        raise NotConfigured(f"{known}: {not_utf_8(head)}")
    if guess.is_unreadable:
        raise NotConfigured(f"{known}: {guess.problem}")
    settings = {**(guess.of_sample or guess.settings), **dataset_settings(known)}
    return replace(guess, columns=tuple(names_in(head)), settings=settings)


def is_long(head: Guess) -> bool:
    """True for a table with one row for each relevant item."""
    has_one_item = head.shape != "lists" and not set(ONE_ITEM).isdisjoint(head.columns[1:2])
    return head.shape == "pairs" or has_one_item


def has_items(head: Guess) -> bool:
    """False for a sample submission whose lists are empty."""
    is_table = head.columns not in ((), QRELS_COLUMNS)
    return not is_table or any("".join(row[1:]) for row in head.rows)


def labels_column(head: Guess) -> str:
    """Returns the name of the column of lists; the usual name for a file without one."""
    has_another = len(head.columns) > 1 and "labels" not in head.columns and not is_long(head)
    return head.columns[1] if has_another else "labels"


def texts_after(known: Path, settings: Mapping[str, object]) -> dict[str, object]:
    """Returns the setting that items are texts, if those at the beginning are numbers and a later
    one differs from another only by a leading zero. Empty if a prepared folder has the kinds."""
    is_whole = settings.get("item_ids") == "integer" and not dataset_settings(known)
    return {"item_ids": "string"} if is_whole and has_leading_zeros(known) else {}


def require_regular(*files: Path) -> None:
    """Refuses devices and pipes, because files are read more than once."""
    for file in files:
        if not file.is_file():
            raise NotConfigured(f"{file} is not a regular file: save what it gives to one first.")
