"""The files of users × items that a baseline learns from and answers, as options name them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import polars as pl

from podium.errors import InvalidInput, NotConfigured
from podium.preparation.dataset import Dataset
from podium.preparation.reading.text import text_of
from podium.sandbox.isolation.control_groups import ControlGroups

if TYPE_CHECKING:
    from podium.baselines.matrix.recommending import AnsweredRows, UsersItems


_WHERE = "`podium stats FILE` names the first lines that are wrong."


@dataclass(frozen=True)
class UsersItemsFiles:
    """The interactions and the rows to answer, and the ground truth if there is one. `kinds` maps
    `query_ids` and `item_ids` to integer or string."""

    data: UsersItems
    labels: Path | None
    kinds: Mapping[str, str]


def in_folder(folder: Path, labels: Path | None) -> UsersItemsFiles:
    """Returns the files of a prepared folder; `labels` replaces its ground truth. Raises
    `InvalidInput`."""
    from podium.baselines.matrix.interactions import RoleColumns, read_interactions
    from podium.baselines.matrix.recommending import UsersItems

    data = Dataset.read(folder)
    columns = RoleColumns(data.user, data.item, data.rating, data.timestamp, data.type)
    frames = [frame for frame in (data.scan_train(), data.scan_test()) if frame is not None]
    published = _published(folder / data.published, tuple(data.objectives))
    return UsersItemsFiles(
        UsersItems(read_interactions(frames, columns), published),
        labels or (folder / data.labels if data.labels else None),
        {"query_ids": data.kinds[data.user], "item_ids": data.kinds[data.item]},
    )


def sessions_in(folder: Path) -> tuple[Path, Path] | None:
    """Returns the training and the test sessions in a folder of OTTO's form; None for any other."""
    data = Dataset.read(folder)
    if data.protocol != "otto":
        return None
    if not data.train or data.test is None:
        raise InvalidInput(f"{folder} has no training sessions to learn from.")
    return folder / data.train, folder / data.test


def in_files(
    train: Path,
    published: Path,
    *,
    columns: Mapping[str, str | None],
    types: Sequence[str] | None,
    labels: Path | None,
) -> UsersItemsFiles:
    """Reads a table of interactions with columns of these roles, and a file of the users to answer
    for. Raises `InvalidInput`."""
    from podium.baselines.matrix.interactions import RoleColumns, read_interactions
    from podium.baselines.matrix.recommending import UsersItems

    given = {role: name for role, name in columns.items() if name is not None}
    if types is not None and "type" not in given:
        raise NotConfigured("--types needs --type, the column that has them.")
    named = RoleColumns(**{"user": "user", "item": "item", **given})
    with _table(train, (named.user, named.item, named.type)) as (frame, rows):
        interactions = read_interactions([frame], named)
    _check_rows(train, len(interactions.user), rows)
    objectives = tuple(types or interactions.types or ("",))
    answered = _published(published, objectives)
    kinds = {
        "query_ids": _kind(answered.rows["user"]),
        "item_ids": _kind(interactions.items),
    }
    return UsersItemsFiles(UsersItems(interactions, answered), labels, kinds)


def free_memory() -> int | None:
    """Returns the bytes of memory that this process may still use; None if that is unknown."""
    bounds = [ControlGroups().memory_bytes()]
    with suppress(OSError):
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
        bounds += [int(found[1]) << 10] if found else []
    return min((bound for bound in bounds if bound is not None), default=None)


def _kind(ids: pl.Series) -> str:
    return "integer" if ids.str.contains("^(0|[1-9][0-9]{0,8})$").all() else "string"


@contextmanager
def _table(file: Path, texts: Sequence[str]) -> Iterator[tuple[pl.LazyFrame, int]]:
    """Yields a table, with these columns as text if it is CSV, and its number of rows."""
    try:
        with TemporaryDirectory() as work, file.open("rb") as opened:
            if opened.read(4) == b"PAR1":
                scan = pl.scan_parquet(file)
                yield scan, scan.select(pl.len()).collect().item()
                return
            text = text_of(file, ",", Path(work))
            if not text.is_even:
                raise InvalidInput(f"{file}: the rows have unequal numbers of fields. {_WHERE}")
            kinds = dict.fromkeys(filter(None, texts), pl.String)
            yield text.scan(has_header=True, schema_overrides=kinds), text.rows - 1
    except pl.exceptions.PolarsError as failure:
        raise InvalidInput(f"{file} cannot be read as a table: {failure}") from None


def _check_rows(file: Path, found: int, rows: int) -> None:
    """Raises `InvalidInput` if a reader has lost rows, or found too many."""
    if found != rows:
        raise InvalidInput(f"{file}: {found:,} rows are read, and {rows:,} are there. {_WHERE}")


def _published(file: Path, objectives: Sequence[str]) -> AnsweredRows:
    """Reads the users to answer for, and the columns of a submission: those of a sample submission,
    or the user's and `labels`."""
    from podium.baselines.matrix.recommending import AnsweredRows

    with _table(file, ()) as (table, _):
        names = table.collect_schema().names()
    with _table(file, names[:1]) as (table, rows):
        ids = table.select(pl.col(names[0]).cast(pl.String)).collect().to_series()
    _check_rows(file, len(ids), rows)
    if ids.null_count() or ids.is_duplicated().any():
        raise InvalidInput(f"{file}: column {names[0]!r} has an id twice, or none in some row.")
    named = names[0] if len(objectives) == 1 or len(names) == 2 else f"{names[0]}_type"
    columns = (named, names[1] if len(names) == 2 else "labels")
    return AnsweredRows.of(ids, objectives=objectives or ("",), columns=columns)
