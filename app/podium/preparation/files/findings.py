"""Collects problems of raw files with their lines, and builds the error that lists them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from podium.errors import InvalidInput, ProblemEntry, problem_entry
from podium.errors.codes import ForeignCode

SHOWN = 10
"""Problems that are listed; reading stops at the block in which the last of them lies."""


class RawFileCode(StrEnum):
    """Stable codes of everything that can be wrong with raw files."""

    EMPTY_FILE = "empty-file"
    HEADER_MISMATCH = "header-mismatch"
    ROW_SHAPE = "row-shape"
    LINE_TOO_LONG = "line-too-long"
    BAD_JSON = "bad-json"
    BAD_EVENT = "bad-event"
    DUPLICATE_SESSION = "duplicate-session"
    EMPTY_TEST_SET = "empty-test-set"
    TOO_LARGE = "too-large"
    PARQUET_CORRUPT = "parquet-corrupt"
    ARCHIVE_CORRUPT = "archive-corrupt"
    ARCHIVE_TRUNCATED = "archive-truncated"
    ARCHIVE_UNSUPPORTED = "archive-unsupported"


class RawFileRefused(InvalidInput):
    """A raw file cannot be prepared: `facts["file"]` names it, and each problem has its line."""


class RawFindings:
    """Collects the problems of one file, in the order of its lines."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._problems: list[ProblemEntry] = []
        self.count = 0

    def add(
        self,
        code: RawFileCode,
        detail: str,
        line: int | None,
        hint: str | None = None,
        *,
        row: int | None = None,
    ) -> None:
        """Counts a problem on a line, or in a 0-based row of Parquet; only the first `SHOWN` are
        stored."""
        self.count += 1
        if len(self._problems) < SHOWN:
            entry = problem_entry(str(code), detail, line=line, hint=hint)
            self._problems.append({**entry, "row": row})

    def refused(self) -> RawFileRefused:
        """Builds the error that lists the problems found."""
        first = self._problems[0]
        return RawFileRefused(
            first["detail"],
            code=ForeignCode(first["code"]),
            problems=self._problems,
            problem_count=self.count,
            file=str(self._file),
        )


def refuse(
    file: Path, code: RawFileCode, detail: str, line: int | None = None, hint: str | None = None
) -> RawFileRefused:
    """Builds the error for a single problem."""
    found = RawFindings(file)
    found.add(code, detail, line, hint)
    return found.refused()
