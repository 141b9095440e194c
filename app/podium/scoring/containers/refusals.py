"""Refuses compressed files that are damaged or not whole; `form` is the name of the compression."""

from __future__ import annotations

from podium.scoring.problems import Code, FileRejected

_AGAIN = "Compress the file again and send it again."


def truncated(form: str) -> FileRejected:
    """Refuses a file that ends too early."""
    hint = "Part of it is missing. Compress it again and send all of it."
    detail = f"the {form} file ends before its data does"
    return FileRejected.because(Code.ARCHIVE_TRUNCATED, detail, hint=hint)


def trailing(form: str) -> FileRejected:
    """Refuses a file with further bytes after the compressed ones."""
    detail = f"other bytes follow the end of the {form} data"
    return FileRejected.because(Code.ARCHIVE_TRAILING_DATA, detail, hint=_AGAIN)


def damaged(form: str, wrong: Exception) -> FileRejected:
    """Refuses a file that a library cannot decompress for this reason."""
    detail = f"the {form} data is damaged ({wrong})"
    return FileRejected.because(Code.ARCHIVE_CORRUPT, detail, hint=_AGAIN)
