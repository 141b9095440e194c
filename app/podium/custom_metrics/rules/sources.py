"""The text of custom metrics, and the differences of two versions. Everything is bounded: the bytes
come from an organizer."""

from __future__ import annotations

import difflib
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping

ZIP = b"PK\x03\x04"

MAX_FILES = 500
"""Files of a package that are read."""

MAX_BYTES = 1 << 20
"""The maximum bytes of a file that is compared as text."""

MAX_BYTES_TOGETHER = 8 << 20

MAX_LINES = 20_000
"""The maximum lines of both versions of a file together that are compared."""

_UNREADABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError)
"""Errors of a damaged zip, or of one with an unknown compression."""


def is_package(content: bytes) -> bool:
    """True for a zip, which contains a package; anything else is one Python file."""
    return content.startswith(ZIP)


def default_name(content: bytes) -> str:
    """Returns the name of a file that was sent without one."""
    return "metric.zip" if is_package(content) else "metric.py"


def texts_of(content: bytes) -> Mapping[str, str | None]:
    """Returns the texts of a custom metric by file name, in order; None for files that are not
    text, or too large. The name of a single Python file is empty."""
    if not is_package(content):
        return {"": _text(content)}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return dict(_members(package))
    except _UNREADABLE:
        return {}


def differences(before: Mapping[str, str | None], after: Mapping[str, str | None]) -> str:
    r"""Returns the unified diffs of all files that differ, one after the other; empty if none does.

    >>> print(differences({"": "a\n"}, {"": "b\n"}), end="")
    --- before/metric.py
    +++ after/metric.py
    @@ -1 +1 @@
    -a
    +b
    """
    names = sorted({*before, *after})
    return "".join(part for name in names for part in _differences(name, before, after) if part)


def _differences(
    name: str, before: Mapping[str, str | None], after: Mapping[str, str | None]
) -> Iterator[str]:
    shown = name or "metric.py"
    old, new = before.get(name, ""), after.get(name, "")
    if old is None or new is None:
        if old != new or name not in before or name not in after:
            yield f"The file {shown} is not text, or too large to be compared.\n"
        return
    if old == new and name in before and name in after:
        return
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if sum(map(len, lines)) > MAX_LINES:
        yield f"The file {shown} differs, and has too many lines to be compared.\n"
        return
    places = (
        f"before/{shown}" if name in before else "/dev/null",
        f"after/{shown}" if name in after else "/dev/null",
    )
    for line in difflib.unified_diff(*lines, *places):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _members(package: zipfile.ZipFile) -> Iterator[tuple[str, str | None]]:
    left = MAX_BYTES_TOGETHER
    for member in package.infolist()[:MAX_FILES]:
        if member.is_dir():
            continue
        with package.open(member) as file:
            content = file.read(min(MAX_BYTES, left) + 1)
        left = max(0, left - len(content))
        yield member.filename, _text(content) if left else None


def _text(content: bytes) -> str | None:
    if len(content) > MAX_BYTES:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text
