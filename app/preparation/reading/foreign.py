"""Files of interactions in a form that is not read: what they are, and what to type."""

from __future__ import annotations

import re
import shlex
import zipfile
from pathlib import Path

from podium.otto.preparation.findings import RawFileCode, RawFileRefused, refuse
from podium.scoring.containers.detection import Container, recognise
from podium.scoring.containers.foreign import foreign_kind
from podium.scoring.containers.zip_stream import EXPORT_AS_CSV
from podium.scoring.lists.header import refuse_foreign_bytes
from podium.scoring.problems import Code, FileRejected, quoted

_SHOWN_MEMBERS = 3
_OFFICE = {"[Content_Types].xml", "mimetype"}

_JSON_LINES = (
    "`python3 -c 'import json,sys; [print(json.dumps(e)) for e in json.load(sys.stdin)]' < FILE >"
    " FILE.jsonl` makes them."
)
_FROM_DICTS = (
    "`python3 -c 'import ast,json,sys; [print(json.dumps(ast.literal_eval(e))) for e in"
    " sys.stdin]' < FILE > FILE.jsonl` makes them."
)


def refuse_container(file: Path) -> None:
    """Raises `RawFileRefused` for an archive or a kind of file that is not read, by name."""
    try:
        container = recognise(file)
    except FileRejected as rejected:
        raise _refused(file, rejected, RawFileCode.ARCHIVE_UNSUPPORTED) from None
    if container is Container.ZIP:
        raise _zip_refused(file)


def refuse_text(file: Path, head: bytes) -> None:
    """Raises `RawFileRefused` for text, unpacked, that is no lines of rows or of JSON objects."""
    kind = foreign_kind(head)
    if kind is not None:
        raise _archive(file, f"{kind.name} in another container", f"Then {kind.advice}.")
    try:
        refuse_foreign_bytes(head)
    except FileRejected as rejected:
        raise _refused(file, rejected, RawFileCode.ROW_SHAPE) from None
    if b"\r" in head and b"\n" not in head:
        hint = "`tr '\\r' '\\n' < FILE > FILE.csv` makes such lines."
        raise refuse(file, RawFileCode.ROW_SHAPE, "the lines end with CR alone, not LF", 1, hint)
    if re.match(rb"\s*\[\s*([{\[\]]|$)", head):
        detail = "the file is one JSON array, and JSON lines are read: one object a line"
        raise refuse(file, RawFileCode.BAD_JSON, detail, 1, _JSON_LINES)
    if re.match(rb"\s*\{\s*u?'", head):
        detail = "the lines are dicts of Python, and JSON lines are read: one object a line"
        raise refuse(file, RawFileCode.BAD_JSON, detail, 1, _FROM_DICTS)


def _refused(file: Path, rejected: FileRejected, code: RawFileCode) -> RawFileRefused:
    problem = rejected.rejection.problems[0]
    hint = problem.hint
    if problem.code == Code.ENCODING:
        encoding = problem.detail.rpartition(" ")[2]
        hint = f"`iconv -f {encoding} -t UTF-8 FILE > FILE.csv` makes UTF-8 of it."
    return refuse(file, code, problem.detail, problem.line, hint)


def _archive(file: Path, kind: str, advice: str) -> RawFileRefused:
    detail = f"the file is {kind}, which is not read here"
    return refuse(file, RawFileCode.ARCHIVE_UNSUPPORTED, detail, None, advice)


def _zip_refused(file: Path) -> RawFileRefused:
    """The error that names the members, and how the largest of them is unpacked."""
    try:
        with zipfile.ZipFile(file) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        members = []
    if _OFFICE & {each.filename for each in members}:
        return refuse(
            file, RawFileCode.ARCHIVE_UNSUPPORTED, "the file is a spreadsheet", None, EXPORT_AS_CSV
        )
    if not members:
        return _archive(
            file, "a zip archive without a file in it", "Give the file of interactions."
        )
    names = ", ".join(quoted(each.filename) for each in members[:_SHOWN_MEMBERS])
    more = ", …" if len(members) > _SHOWN_MEMBERS else ""
    largest = max(members, key=lambda each: each.file_size).filename
    to = Path(largest).name
    command = f"`unzip -p FILE {shlex.quote(largest)} > {shlex.quote(to)}`"
    return _archive(
        file, f"a zip archive of {names}{more}", f"Unpack the interactions, perhaps {command}."
    )
