"""Reads ground truth in its usual spelling, whole blocks at a time; anything else is not plain.

Every line must match, from its first byte to its last, a pattern for which the collecting reader
(`forms.py`) would have found the same labels without a problem. If one line does not, or the whole
is not proven, nothing is said about the file: the collecting reader is the fallback and decides. No
rejection is made in this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

import polars as pl

from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task
from podium.scoring.truth.forms import json_keys, long_columns
from podium.scoring.truth.labels import LabelsRead, has_neighbours_alike
from podium.scoring.truth.table import LONGEST_LINE, is_parquet, text_blocks
from podium.scoring.turns import in_turn

_MOST_OBJECTIVES = 32  # Every name stands in the pattern of a line, which has to stay small.
_PLAIN_NAME = re.compile("[A-Za-z0-9_.-]+")

# JSON and the CSV forms write a whole number alike: no sign, no leading zero. Whether it is in
# range is left to the cast to Int32.
_NUMBER = "(?:0|[1-9][0-9]{0,9})"
_NUMBERS = f"{_NUMBER}(?:, ?{_NUMBER})*"


class _NotPlain(Exception):
    """The file is not proven good; the reason is for developers only."""


@dataclass(frozen=True)
class _Form:
    """One spelling. `rows` makes of lines `session` (text, null where a line does not match),
    `position` (UInt8, of the objective), `items` (text, null where there are none) and `ignored`
    (UInt32, how many entries are for other objectives)."""

    rows: Callable[[pl.Series], Iterator[pl.DataFrame]]
    separator: str
    only_labelled: bool = False


def read_well_formed(
    path: Path, *, task: Task, published: PublishedIds | None
) -> LabelsRead | None:
    """The labels of label JSONL, or of a CSV without relevances and Usage, if all ids are numbers;
    None unless all of the file is proven good."""
    plain = task.names == ("",) or all(map(_PLAIN_NAME.fullmatch, task.names))
    numbered = (task.query_ids, task.item_ids) == ("integer", "integer")
    if not numbered or not plain or len(task.names) > _MOST_OBJECTIVES:
        return None
    try:
        if is_parquet(path):
            return None
        return _labels_read(_read(path, task), task, published)
    except (_NotPlain, FileRejected):
        # Also a broken container: the other reader knows which of its problems comes first.
        return None


@dataclass
class _Found:
    """The ids of each block's rows, the sessions in order, and the labels."""

    only_labelled: bool
    ignored: int = 0
    ids: list[pl.DataFrame] = field(default_factory=list)
    sessions: list[pl.Series] = field(default_factory=list)
    labels: list[pl.DataFrame] = field(default_factory=list)

    def add(self, other: _Found) -> None:
        """Puts what stands behind it in the file at the end."""
        self.ignored += other.ignored
        self.ids += other.ids
        self.sessions += other.sessions
        self.labels += other.labels


def _read(path: Path, task: Task) -> _Found:
    blocks = text_blocks(path, task)
    first = next(blocks)
    head = first[: first.find(b"\n") + 1]
    if first.startswith(b"{"):
        form = _json_form(task)
    else:
        form = _csv_form(head, task)
        first = first[len(head) :]
    found = _Found(form.only_labelled)
    # Regular expressions work on one core, so that several blocks are read at a time.
    for part in in_turn(partial(_read_block, form), chain([first], blocks)):
        found.add(part)
    return found


def _read_block(form: _Form, block: bytes) -> _Found:
    if not block.isascii():
        raise _NotPlain("a character beyond ASCII")
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    text = block.removesuffix(b"\n").decode("ascii")
    lines = pl.Series([text]).str.split("\n").explode()
    # A CR that was dropped would count.
    if int(lines.str.len_bytes().max() or 0) >= LONGEST_LINE:  # type: ignore[arg-type]
        raise _NotPlain("a long line")
    found = _Found(form.only_labelled)
    for rows in form.rows(lines):
        ids = rows.with_columns(pl.col("session").cast(pl.Int32, strict=False))
        if ids["session"].null_count():
            raise _NotPlain("a line is spelled in another way, or its session is out of range")
        items = ids.drop_nulls("items").with_columns(pl.col("items").str.split(form.separator))
        labels = items.explode("items").with_columns(pl.col("items").cast(pl.Int32, strict=False))
        if labels["items"].null_count():
            raise _NotPlain("an item is out of range")
        found.ignored += int(rows["ignored"].sum())
        found.ids.append(ids.select("session", "position"))
        found.sessions.append(ids["session"].unique(maintain_order=True))
        found.labels.append(labels)
    return found


def _labels_read(found: _Found, task: Task, published: PublishedIds | None) -> LabelsRead:
    if published is None:
        sessions = pl.concat(found.sessions).unique(maintain_order=True)
        published = PublishedIds(sessions, task.names)
    queries = _queries(pl.concat(found.ids), published)
    if not found.only_labelled:
        seen = pl.zeros(published.count, dtype=pl.UInt8, eager=True)
        if seen.scatter(queries, 1).sum() != len(queries):
            raise _NotPlain("an id occurs twice")
    labels = pl.concat(found.labels)
    frame = pl.DataFrame({"query": _queries(labels, published), "item": labels["items"]})
    frame = frame.sort("query", "item")
    if has_neighbours_alike(frame):
        raise _NotPlain("a label occurs twice")
    return LabelsRead(frame, published, only_labelled=found.only_labelled, ignored=found.ignored)


def _queries(rows: pl.DataFrame, published: PublishedIds) -> pl.Series:
    places = published.numbers().number(rows["session"])
    if places.null_count():
        raise _NotPlain("a session is not published")
    return places * len(published.objectives) + rows["position"]


def _json_form(task: Task) -> _Form:
    keys = json_keys(task)
    # The only objective of a task leaves those of others in the file alone.
    others = () if task.names != ("",) else (_PLAIN_NAME.pattern,)
    known = "|".join((*map(re.escape, keys), *others))
    return _Form(partial(_json_rows, keys=keys, known=known, others=bool(others)), ",")


def _json_rows(
    lines: pl.Series, keys: tuple[str, ...], known: str, others: bool
) -> Iterator[pl.DataFrame]:
    entry = rf'"(?:{known})": ?(?:{_NUMBER}|\[(?:{_NUMBERS})?\])'
    labels = rf"(?:{entry}(?:, ?{entry})*)?"
    pattern = rf'^\{{"session": ?({_NUMBER}), ?"labels": ?\{{({labels})\}}\}}$'
    session, body = lines.str.extract_groups(pattern).struct.unnest()
    ignored = _others(body, keys[0]) if others else pl.lit(0)
    for position, key in enumerate(keys):
        # A key cannot stand in the values, which are numbers: each occurrence is a key.
        if (body.str.count_matches(f'"{key}"', literal=True) > 1).any():
            raise _NotPlain("an objective occurs twice in a line")
        items = body.str.extract(rf'"{re.escape(key)}": ?\[?({_NUMBERS})')
        items = items.str.replace_all(" ", "", literal=True)
        yield _rows(session, pl.lit(position), items, ignored)


def _others(body: pl.Series, key: str) -> pl.Series:
    """Counts the entries of each line that have another key."""
    found = body.str.extract_all('"[^"]*"')
    if (found.list.n_unique() < found.list.len()).any():
        raise _NotPlain("an objective occurs twice in a line")
    return found.list.len() - body.str.contains(f'"{key}"', literal=True).cast(pl.UInt32)


def _csv_form(head: bytes, task: Task) -> _Form:
    header = head.decode("ascii", "replace").removesuffix("\n").removesuffix("\r").split(",")
    if header == [task.id_column, task.labels_column]:
        items, between = f"{_NUMBER}(?: {_NUMBER})*", "_"
    elif tuple(header) in long_columns(task):
        items, between = _NUMBER, ","
    else:
        raise _NotPlain("another header")
    names = "|".join(re.escape(name) for name in task.names)
    objective = f"{between}({names})" if names else "()"
    pattern = f"^({_NUMBER}){objective},({items})?$"
    rows = partial(_csv_rows, pattern=pattern, names=task.names)
    return _Form(rows, " ", only_labelled=between == ",")


def _csv_rows(lines: pl.Series, pattern: str, names: tuple[str, ...]) -> Iterator[pl.DataFrame]:
    session, objective, items = lines.str.extract_groups(pattern).struct.unnest()
    position = objective.replace_strict(names, range(len(names)), return_dtype=pl.UInt8)
    yield _rows(session, position, items, pl.lit(0))


def _rows(
    session: pl.Series,
    position: pl.Series | pl.Expr,
    items: pl.Series,
    ignored: pl.Series | pl.Expr,
) -> pl.DataFrame:
    frame = pl.select(session=session, position=position, items=items, ignored=ignored)
    return frame.cast({"position": pl.UInt8, "ignored": pl.UInt32})
