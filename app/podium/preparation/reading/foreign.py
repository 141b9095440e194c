"""Refuses files of interactions in unsupported formats, with the command that converts them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from podium.preparation.files.containers import archive_refused, as_raw
from podium.preparation.files.findings import RawFileCode, refuse
from podium.scoring.containers.foreign import foreign_kind
from podium.scoring.problems import FileRejected
from podium.scoring.text.header import refuse_foreign_bytes
from podium.scoring.truth.foreign import foreign_form

_JSON_LINES = (
    "`python3 -c 'import json,sys; [print(json.dumps(e)) for e in json.load(sys.stdin)]' < FILE >"
    " FILE.jsonl` makes them."
)
_FROM_DICTS = (
    "`python3 -c 'import ast,json,sys; [print(json.dumps(ast.literal_eval(e))) for e in"
    " sys.stdin]' < FILE > FILE.jsonl` makes them."
)


def refuse_text(file: Path, head: bytes) -> None:
    """Raises `RawFileRefused` for unpacked text that does not consist of rows or of JSON
    objects."""
    kind = foreign_kind(head)
    if kind is not None:
        raise archive_refused(file, f"{kind.name} in another container", f"Then {kind.advice}.")
    try:
        refuse_foreign_bytes(head)
    except FileRejected as rejected:
        raise as_raw(file, rejected, RawFileCode.ROW_SHAPE) from None
    if b"\r" in head and b"\n" not in head:
        hint = "`tr '\\r' '\\n' < FILE > FILE.csv` makes such lines."
        raise refuse(file, RawFileCode.ROW_SHAPE, "the lines end with CR alone, not LF", 1, hint)
    if re.match(rb"\s*\[\s*([{\[\]]|$)", head):
        detail = "the file is one JSON array, and JSON lines are read: one object a line"
        raise refuse(file, RawFileCode.BAD_JSON, detail, 1, _JSON_LINES)
    if re.match(rb"\s*\{\s*u?'", head):
        detail = "the lines are dicts of Python, and JSON lines are read: one object a line"
        raise refuse(file, RawFileCode.BAD_JSON, detail, 1, _FROM_DICTS)


def refuse_beir(file: Path, names: Sequence[str]) -> None:
    """Raises `RawFileRefused` for the column names of a BEIR file."""
    if form := foreign_form("\t".join(names)):
        detail, hint = form
        hint += "; to read them as interactions, add --user query-id --item corpus-id."
        raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1, hint)
    if names[0] == "_id" and "text" in names:
        detail = "these are texts as BEIR has them; who was judged relevant to whom is in qrels"
        hint = "Give qrels/test.tsv, which lies beside them."
        raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1, hint)
