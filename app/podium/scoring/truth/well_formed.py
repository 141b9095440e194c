"""Reads ground truth in its usual spellings, in one compiled pass; anything else is not plain.

The spelling of a file is detected here, and passed to the kernel. The collecting reader
(`forms.py`) decides about all other files. This module creates no rejections.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from podium.scoring.containers.detection import is_parquet, open_source
from podium.scoring.kernel.endings import endings_of, name_endings
from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.structures import LabelForm
from podium.scoring.kernel.text import NotPlain, WholeLines
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task
from podium.scoring.text.header import BOM
from podium.scoring.text.trec import fields_of, is_qrels
from podium.scoring.truth.compiled import read_labels
from podium.scoring.truth.forms import json_keys, long_columns
from podium.scoring.truth.labels import LabelsRead
from podium.scoring.truth.table import LONGEST_LINE

_LONGEST_PLAIN = LONGEST_LINE - len("\r")
_MAX_KEYS = 64  # Those of a line are marked in the bits of a word.
_PLAIN_KEY = re.compile(r"[ !#-\[\]-~]*")


def read_well_formed(
    path: Path, *, task: Task, published: PublishedIds | None
) -> LabelsRead | None:
    """Reads the labels of label JSONL, or of a CSV without relevances and Usage, if all ids are
    numbers; None unless the whole file is proven valid, and where the kernel was not compiled."""
    functions = kernel()
    if functions is None or (task.query_ids, task.item_ids) != ("integer", "integer"):
        return None
    try:
        if is_parquet(path):
            return None
        with open_source(path, task) as source:
            return read_labels(
                WholeLines(source),
                functions,
                objectives=task.names,
                published=published,
                form_of=partial(form_of, task),
            )
    except (NotPlain, FileRejected):
        # Also a broken container: the other reader knows which of its problems comes first.
        return None


def form_of(task: Task, text: bytes) -> tuple[LabelForm, int]:
    """Determines the form of a text by its start, and the offset of its labels. Raises NotPlain."""
    if len(set(task.names)) < len(task.names) or ("" in task.names and len(task.names) > 1):
        raise NotPlain("objectives that ids do not tell apart")
    start = len(BOM) if text.startswith(BOM) else 0
    if text.startswith(b"{", start):
        return _json_form(task), start
    head, line_feed, _ = text[start:].partition(b"\n")
    return _csv_form(task, head.removesuffix(b"\r")), start + len(head + line_feed)


def _json_form(task: Task) -> LabelForm:
    keys = json_keys(task)
    if len(set(keys)) < len(keys) or len(keys) > _MAX_KEYS:
        raise NotPlain("objectives with the same key, or too many")
    if not all(map(_PLAIN_KEY.fullmatch, keys)):
        raise NotPlain("a key that is not written as it is read")
    return LabelForm(
        endings=endings_of([f'"{key}":' for key in keys]),
        objectives=len(keys),
        longest_line=_LONGEST_PLAIN,
        is_json=True,
        is_only=task.names == ("",),
    )


def _csv_form(task: Task, head: bytes) -> LabelForm:
    columns = tuple(head.decode("ascii", "replace").split(","))
    # Where the columns of a long form are the submission's own, they mean the submission form.
    is_long = columns != (task.id_column, task.labels_column)
    if is_long and columns not in long_columns(task):
        raise NotPlain("other columns")
    if not head.isascii() or b'"' in head or is_qrels(head) or not fields_of(head):
        raise NotPlain("a header that means something else elsewhere")
    if len(set(columns)) < len(columns) or {"Usage", "relevance"} & set(columns):
        raise NotPlain("columns with two meanings")
    return LabelForm(
        endings=name_endings(task.names, "," if is_long else "_"),
        objectives=len(task.names),
        longest_line=_LONGEST_PLAIN,
        is_long=is_long,
    )
