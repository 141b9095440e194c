"""Reads ground truth in its usual spellings, in one compiled pass; anything else is not plain.

The spelling of a file is detected here, and passed to the kernel. The collecting reader
(`forms.py`) decides about all other files. This module creates no rejections.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

from podium.scoring.containers.detection import is_parquet
from podium.scoring.kernel.endings import endings_of, name_endings
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.structures import LabelForm
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.tables import table_source
from podium.scoring.splits import USAGE_SIDES
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem, names_of
from podium.scoring.text.header import BOM, has_column
from podium.scoring.text.trec import is_qrels
from podium.scoring.truth.compiled import SPELLINGS, TextForm, read_labels
from podium.scoring.truth.forms import LabelColumns, json_keys
from podium.scoring.truth.labels import LabelsRead
from podium.scoring.truth.qrels import MAX_RELEVANCE, MIN_RELEVANCE
from podium.scoring.truth.table import LONGEST_LINE

_LONGEST_PLAIN = LONGEST_LINE - len("\r")
_MAX_KEYS = 64  # Those of a line are marked in the bits of a word.
_PLAIN_KEY = re.compile(r"[ !#-\[\]-~]*")


def read_well_formed(
    path: Path, *, task: Task, published: PublishedIds | None, needs_usage: bool = False
) -> LabelsRead | None:
    """Reads the labels of label JSONL, a CSV in the submission form or the long form, or qrels;
    None unless the whole file is proven valid, and where the kernel was not compiled. With
    `needs_usage`, files without a column `Usage` are not valid."""
    functions = kernel()
    if functions is None:
        return None
    try:
        if is_parquet(path):
            return None
        with table_source(path, task) as source:
            return read_labels(
                WholeLines(source),
                functions,
                task=task,
                published=published,
                form_of=partial(form_of, task, needs_usage=needs_usage),
                sides=tuple(USAGE_SIDES.values()),
            )
    except (NotPlain, FileRejected):
        # Also a broken container: the other reader knows which of its problems comes first.
        return None


def form_of(task: Task, text: bytes, *, needs_usage: bool = False) -> TextForm:
    """Determines the form of a text by its first block. Raises NotPlain."""
    if len(set(task.names)) < len(task.names) or ("" in task.names and len(task.names) > 1):
        raise NotPlain("objectives that ids do not tell apart")
    start = len(BOM) if text.startswith(BOM) else 0
    line = text[start : text.find(b"\n", start) + 1]
    head = line.removesuffix(b"\n").removesuffix(b"\r")
    is_table = has_column(head, task.id_column)
    if text.startswith(b"{", start) and not is_table:
        form = TextForm(_json_form(task), start)
    elif is_qrels(head) and not is_table:
        form = TextForm(_qrels_form(task), start)
    else:
        form = _table_form(task, head, start + len(line))
    if needs_usage and "side" not in form.columns:
        raise NotPlain("there is no Usage")
    return form


def _known(task: Task) -> dict[str, Any]:
    return {
        "objectives": len(task.names),
        "longest_line": _LONGEST_PLAIN,
        "are_texts": task.query_ids == "string",
        "are_text_items": task.item_ids == "string",
        "most": MAX_RELEVANCE,
        "smallest": MIN_RELEVANCE,
    }


def _json_form(task: Task) -> LabelForm:
    keys = json_keys(task)
    if len(set(keys)) < len(keys) or len(keys) > _MAX_KEYS:
        raise NotPlain("objectives with the same key, or too many")
    if not all(map(_PLAIN_KEY.fullmatch, keys)):
        raise NotPlain("a key that is not written as it is read")
    return LabelForm(
        spelling=SPELLINGS.index("json"),
        endings=endings_of([f'"{key}":' for key in keys]),
        is_only=task.names == ("",),
        **_known(task),
    )


def _qrels_form(task: Task) -> LabelForm:
    if task.names != ("",):
        raise NotPlain("several objectives")
    return LabelForm(
        spelling=SPELLINGS.index("qrels"),
        endings=endings_of([""]),
        name=endings_of([""]),
        least=-MAX_RELEVANCE,
        **_known(task),
    )


def _table_form(task: Task, head: bytes, start: int) -> TextForm:
    try:
        names = [field.decode("utf-8", "replace") for field in names_of(head)]
    except RowProblem as wrong:
        raise NotPlain("another header") from wrong
    form = LabelColumns.of(names, task)
    if form is None:
        raise NotPlain("other columns")
    first, *others = form.columns
    roles = {first: "session" if form.is_long else "id"}
    if form.is_long:
        roles |= dict(zip(others, ("type", "item")[-len(others) :], strict=True))
    else:
        roles |= {others[0]: "labels"}
    if set(roles) & {"Usage", "relevance"} or ("type" in roles and len(others) == 1):
        raise NotPlain("columns with two meanings")
    roles |= {"Usage": "side", "relevance": "relevance"}
    return TextForm.of_table(
        tuple(roles[name] for name in names),
        start,
        endings=name_endings(task.names, "" if form.is_long else "_"),
        sides=endings_of(tuple(USAGE_SIDES)),
        name=endings_of([first]),
        **_known(task),
    )
