"""Leading zeros of items, which are other items only where these are texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.described import told_by_dataset

if TYPE_CHECKING:
    from podium.scoring.task import Task


def texts_after(known: Path, settings: Mapping[str, object]) -> dict[str, object]:
    """That items are texts, where those at the beginning are numbers and a later one has a leading
    zero, by which it differs from another. Nothing where a prepared folder tells the kinds."""
    is_whole = settings.get("item_ids") == "integer" and not told_by_dataset(known)
    return {"item_ids": "string"} if is_whole and has_leading_zeros(known) else {}


def has_leading_zeros(file: Path) -> bool:
    """True where a field of a table, or an item of a list, is a number that begins with a zero."""
    import polars as pl

    from podium.scoring.containers.detection import Container, open_blocks, recognise
    from podium.scoring.problems import FileRejected
    from podium.scoring.task import OTTO

    # Of a file that cannot be read, its reader says what is wrong with it.
    with suppress(FileRejected, pl.exceptions.PolarsError):
        if recognise(file) is not Container.PARQUET:
            return any(map(_ZERO.search, open_blocks(file, OTTO, max_rows=0)))
        texts = pl.scan_parquet(file).select(pl.selectors.string().str.contains("(?:^| )0[0-9]"))
        return any(column.any() for column in texts.collect().get_columns())
    return False


def zeros_noted(submission: Path, known: Path, task: Task) -> str | None:
    """A sentence where items of a submission have leading zeros, which say nothing because the
    ground truth seems to hold whole numbers; None where they do, or nothing was guessed."""
    if task.item_ids != "integer" or task.is_of_tables or told_by_dataset(known):
        return None
    if not has_leading_zeros(submission):
        return None
    return (
        f"Items were read as the whole numbers of {known}, so that 007 is 7: with --item-ids string"
        " they are two."
    )


_ZERO = re.compile(rb'[ ,"]0[0-9]')
