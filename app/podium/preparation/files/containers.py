"""Refuses raw files in unsupported containers, with their kind and the command that unpacks
them."""

from __future__ import annotations

import shlex
import zipfile
from pathlib import Path

from podium.preparation.files.findings import RawFileCode, RawFileRefused, refuse
from podium.scoring.containers.detection import Container, recognize
from podium.scoring.containers.foreign import foreign_kind
from podium.scoring.containers.zip_stream import EXPORT_AS_CSV
from podium.scoring.problems import Code, FileRejected, quoted

_READ = "CSV, JSON lines and Parquet are read, plain, gzip or zstd"
_HEAD_BYTES = 512
_SHOWN_MEMBERS = 3
_OFFICE = {"[Content_Types].xml", "mimetype"}


def refuse_container(file: Path) -> None:
    """Raises `RawFileRefused` for an archive or a kind of file that is not read, by name."""
    with file.open("rb") as opened:
        kind = foreign_kind(opened.read(_HEAD_BYTES))
    if kind is not None:
        raise archive_refused(file, kind.name, f"{_READ}: {kind.advice}.")
    if recognize(file) is Container.ZIP:
        raise _zip_refused(file)


def as_raw(file: Path, rejected: FileRejected, code: RawFileCode) -> RawFileRefused:
    """Converts the rejection that a reader of submissions would give into the error for a raw
    file."""
    problem = rejected.rejection.problems[0]
    hint = problem.hint
    if problem.code == Code.ENCODING:
        encoding = problem.detail.rpartition(" ")[2]
        hint = f"`iconv -f {encoding} -t UTF-8 FILE > FILE.csv` makes UTF-8 of it."
    return refuse(file, code, problem.detail, problem.line, hint)


def archive_refused(file: Path, kind: str, advice: str) -> RawFileRefused:
    """Builds the error for an unsupported container, with advice on how to unpack it."""
    detail = f"the file is {kind}, which is not read here"
    return refuse(file, RawFileCode.ARCHIVE_UNSUPPORTED, detail, None, advice)


def _zip_refused(file: Path) -> RawFileRefused:
    """Builds the error for a ZIP archive, with its members and the command that unpacks the
    largest."""
    try:
        with file.open("rb") as opened, zipfile.ZipFile(opened) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        members = []
    if _OFFICE & {each.filename for each in members}:
        return refuse(
            file, RawFileCode.ARCHIVE_UNSUPPORTED, "the file is a spreadsheet", None, EXPORT_AS_CSV
        )
    if not members:
        return archive_refused(
            file, "a zip archive without a file in it", "Give the file of interactions."
        )
    names = ", ".join(quoted(each.filename) for each in members[:_SHOWN_MEMBERS])
    more = ", …" if len(members) > _SHOWN_MEMBERS else ""
    largest = max(members, key=lambda each: each.file_size).filename
    to = Path(largest).name
    command = f"`unzip -p FILE {shlex.quote(largest)} > {shlex.quote(to)}`"
    return archive_refused(
        file, f"a zip archive of {names}{more}", f"Unpack the interactions, perhaps {command}."
    )
