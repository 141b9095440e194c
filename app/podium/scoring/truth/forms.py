"""Reads the forms of ground truth, distinguished by content: label JSONL, submission form, long
form; and qrels, which have a separate module."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from podium.scoring.containers.detection import is_parquet
from podium.scoring.lists.rows import ListLayout, check_id, read_id, read_labels
from podium.scoring.names import header_of
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.task import MAX_ITEM, MAX_SESSION, Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.header import has_column, header_hint
from podium.scoring.text.json_values import without_duplicates
from podium.scoring.text.trec import fields_of, is_qrels
from podium.scoring.truth.collecting import Collector
from podium.scoring.truth.qrels import collect_qrels, read_relevance
from podium.scoring.truth.table import FileTable, csv_table, parquet_table, text_lines

Lines = Iterator[tuple[int, bytes]]

_BESIDE_IDS = ("relevance", "Usage")
"""Columns of a ground truth of lists that do not contain ids."""


def collect(path: Path, collector: Collector) -> None:
    """Reads a file of any form into the collector. Raises FileRejected where reading cannot
    continue; other problems are in the collector's findings."""
    if is_parquet(path):
        labels = collector.task.labels_column
        table = parquet_table(path, lists=labels, is_id=lambda name: name not in _BESIDE_IDS)
        _collect_table(table, collector)
        return
    lines = text_lines(path, collector.task)
    begin = [next(lines)]
    while not fields_of(begin[-1][1]) and (following := next(lines, None)):
        begin.append(following)
    lines = chain(begin, lines)
    if has_column(begin[0][1], collector.task.id_column):
        _collect_table(csv_table(lines, collector.task), collector)
    elif begin[0][1].lstrip().startswith(b"{"):
        _collect_json(lines, collector)
    elif is_qrels(begin[-1][1]):
        collect_qrels(lines, collector)
    else:
        _collect_table(csv_table(lines, collector.task), collector)


def _collect_json(lines: Lines, collector: Collector) -> None:
    for number, line in lines:
        try:
            session, labels = _json_labels(line, collector.task)
        except _BadJson as wrong:
            detail, hint = f"{wrong}: {quoted(line)}", _json_form(collector.task)
            collector.problem(Code.BAD_JSON, detail, number, hint=hint)
            continue
        place = collector.session(session, number)
        if place is None:
            continue
        _collect_session(collector, session, place, labels, number)
    if collector.foreign:
        _name_foreign(collector)


def _name_foreign(collector: Collector) -> None:
    """Reports all types of labels that are not objectives as one problem, with the objectives that
    fit."""
    foreign, keys = collector.foreign, json_keys(collector.task)
    found = [*(key for key in keys if key in collector.known), *sorted(foreign)]
    detail = (
        f"the labels are of {', '.join(map(quoted, sorted(foreign)))}, but the objectives are"
        f" {', '.join(keys)}"
    )
    fitting = json.dumps({"objectives": dict.fromkeys(found, 1)}, ensure_ascii=False)
    hint = (
        f"Objectives that fit, with weights of your choice: --settings '{fitting}'; `podium score`"
        " takes them in a file, as its --preset."
    )
    collector.problem(Code.BAD_JSON, detail, min(foreign.values()), hint=hint)


def _collect_session(
    collector: Collector, session: str, place: int, labels: dict[str, Any], line: int
) -> None:
    keys = json_keys(collector.task)
    foreign = [key for key in labels if key not in keys]
    if collector.names == ("",):
        # A file for several objectives is valid for one of them.
        collector.ignored += len(foreign)
        foreign = []
    for key in foreign:
        collector.foreign.setdefault(key, line)
    for key in keys:
        if key in labels:
            collector.known.add(key)
    item_ids = collector.task.item_ids
    for position, key in enumerate(keys):
        query = place * len(keys) + position
        # All objectives of a line are claimed, also those without labels: a session has one line.
        if not collector.claim(query, session.encode(), line):
            return
        found = labels.get(key, [])
        items = found if isinstance(found, list) else [found]
        bad = [item for item in items if not _is_item(item, item_ids)]
        if bad:
            collector.problem(Code.BAD_LABEL, f"{quoted(str(bad[0]))} is not an item id", line)
        elif item_ids == "string":
            collector.labels(query, list(map(str, items)), line)
        else:
            collector.labels(query, items, line)


def json_keys(task: Task) -> tuple[str, ...]:
    """Lists the keys of the objectives in label JSONL."""
    return tuple(objective.key or objective.name for objective in task.objectives)


_ONE_ITEM = "Write a row for each item; or call the columns {} and labels, for lists of items."


def _json_form(task: Task) -> str:
    """Describes the format of a line, by an example."""
    items: object = [7, 9] if task.item_ids == "integer" else ["a", "b"]
    labels = items if task.names == ("",) else dict.fromkeys(json_keys(task)[:2], items)
    session: object = 42 if task.query_ids == "integer" else "u42"
    line = json.dumps({"session": session, "labels": labels})
    return f"Each line is one session with its labels: {line}."


class _BadJson(Exception):
    """A line is not a session with labels; the text is the reason."""


def _json_labels(line: bytes, task: Task) -> tuple[str, dict[str, Any]]:
    """Parses the session's canonical text, and its labels by key. The only objective of a task
    needs no key: its labels may be one item or a list."""
    try:
        entry = _DECODER.decode(line.decode())
    except (ValueError, RecursionError) as error:
        raise _BadJson("the line is not JSON") from error
    if not isinstance(entry, dict) or "session" not in entry:
        raise _BadJson("the line is not an object with a session")
    if "events" in entry:
        raise _BadJson("full sessions hold no labels; prepare them first")
    session, labels = entry["session"], entry.get("labels", {})
    if task.query_ids == "string":
        if not _is_item(session, "string"):
            raise _BadJson("the session is not 1 to 64 printable ASCII characters")
    elif type(session) is not int or not 0 <= session <= MAX_SESSION:
        raise _BadJson("the session is not a whole number in range")
    if not isinstance(labels, dict):
        if task.names != ("",):
            raise _BadJson("labels is not an object")
        labels = {json_keys(task)[0]: labels}
    return str(session), labels


_DECODER = json.JSONDecoder(object_pairs_hook=without_duplicates)


def _is_item(item: object, item_ids: str) -> bool:
    if item_ids == "string" and isinstance(item, str):
        return 1 <= len(item) <= 64 and item.isascii() and item.isprintable() and _plain(item)
    return type(item) is int and 0 <= item <= MAX_ITEM


def _plain(item: str) -> bool:
    return not any(character in item for character in ' ,"')


def long_columns(task: Task) -> tuple[tuple[str, ...], ...]:
    """Lists the column names that the long form may have: session, type where there are types,
    item.

    A single objective may name them as its submissions do: `user,item`, or as the task names items.
    """
    if task.names != ("",):
        return (("session", "type", "aid"),)
    named = ("session", "aid"), (task.id_column, "item"), (task.id_column, task.item_column)
    return tuple(dict.fromkeys(columns for columns in named if columns[0] != columns[1]))


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The form of a table: the columns of ids and items; and whether it is the long form, which has
    a row for each item, and with three columns one for types."""

    columns: tuple[str, ...]
    is_long: bool

    @classmethod
    def of(cls, names: Sequence[str], task: Task) -> LabelColumns | None:
        """Determines the form by the names of all columns; None where it is neither."""
        columns = set(names)
        if len(columns) < len(names):
            return None
        # Where the columns of a long form are the submission's own, they mean the submission form.
        if columns - {"Usage"} == {task.id_column, task.labels_column}:
            return cls((task.id_column, task.labels_column), is_long=False)
        for known in long_columns(task):
            if columns - {"Usage", "relevance"} == set(known):
                return cls(known, is_long=True)
        return None


def _collect_table(table: FileTable, collector: Collector) -> None:
    task = collector.task
    collector.has_usage = "Usage" in table.columns
    found = LabelColumns.of(table.columns, task)
    if found is not None and found.is_long:
        _collect_long(table, collector, found.columns)
        return
    if found is not None:
        _collect_submission(table, collector)
        return
    known = [(task.id_column, task.labels_column), *long_columns(task)]
    # A file with all columns of a form, and others, is meant to have that form.
    meant = next((names for names in known if {*names} <= {*table.columns}), known[0])
    form = f"{header_of(meant)}{'' if meant == known[0] else '[,relevance]'}[,Usage]"
    detail = f"the columns are {quoted(header_of(table.columns))}, expected {form}"
    long_form = " or ".join(map(header_of, long_columns(task)))
    hint = f"Or the long form: {long_form}[,relevance][,Usage]; or label JSONL, or qrels."
    hint = header_hint(table.columns, known) or hint
    raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=hint)


def _collect_submission(table: FileTable, collector: Collector) -> None:
    task, places = collector.task, {name: n for n, name in enumerate(table.columns)}
    id_at, labels_at, usage_at = (
        places.get(name, -1) for name in (task.id_column, task.labels_column, "Usage")
    )
    form = ListLayout.of(task, labels_first=False)
    for line, fields in table.rows:
        row_id = fields[id_at]
        try:
            session, objective = read_id(row_id, form)
            labels = read_labels(fields[labels_at], task)
        except RowProblem as wrong:
            collector.refuse(wrong, line, row_id)
            continue
        collector.list_of(labels, line, row_id, task.labels_column)
        place = collector.session(session.decode("ascii"), line)
        if place is None:
            continue
        if usage_at >= 0:
            collector.usage(place, fields[usage_at].decode("ascii", "replace"), line)
        query = place * len(task.objectives) + form.positions[objective]
        if collector.claim(query, row_id, line):
            items = labels.decode("ascii").split()
            found = items if task.item_ids == "string" else list(map(int, items))
            collector.labels(query, found, line)


def _collect_long(table: FileTable, collector: Collector, names: tuple[str, ...]) -> None:
    task, places = collector.task, {name: n for n, name in enumerate(table.columns)}
    usage_at, type_at, session_at = (places.get(name, -1) for name in ("Usage", "type", names[0]))
    form = ListLayout.of(task, labels_first=False)
    collector.only_labelled = True
    for line, fields in table.rows:
        session, objective = fields[session_at], fields[type_at] if type_at >= 0 else b""
        row_id = b"_".join((session, objective)) if type_at >= 0 else session
        try:
            check_id(session, objective, form, shown=row_id)
            items, relevance = _long_labels(fields, places, names[-1], task)
            if len(items) > 1:
                detail = "the long form has one item in a row"
                raise RowProblem(Code.BAD_LABEL, detail, _ONE_ITEM.format(*names))
        except RowProblem as wrong:
            collector.refuse(wrong, line, row_id)
            continue
        place = collector.session(session.decode("ascii"), line)
        if place is None:
            continue
        if usage_at >= 0:
            collector.usage(place, fields[usage_at].decode("ascii", "replace"), line)
        query = place * len(task.objectives) + form.positions[objective]
        if not items:
            collector.without_item(line)
        collector.list_of(fields[places[names[-1]]].strip(), line, row_id, names[-1])
        if items and relevance is not None:
            collector.graded_label(query, items[0], relevance, line)
        else:
            # A session without an answer is published by a row with an empty item.
            collector.labels(query, items, line)


def _long_labels(
    fields: list[bytes], places: dict[str, int], item_column: str, task: Task
) -> tuple[Sequence[int | str], float | None]:
    """Parses the item of a row, if there is one, and its relevance, if there is a column for it."""
    texts = read_labels(fields[places[item_column]], task).decode("ascii").split()
    relevance = None
    if texts and "relevance" in places:
        relevance = read_relevance(fields[places["relevance"]], least=0)
    return texts if task.item_ids == "string" else [int(text) for text in texts], relevance
