"""Implements the part of a strict reader that handles lines, independently of their contents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from podium.scoring.hints.texts import Hint
from podium.scoring.problems import SHOWN_PROBLEMS, Code, Problem
from podium.scoring.task import MAX_SURPLUS_ROWS
from podium.scoring.text.findings import Findings

SLICE_BYTES = 256 << 10
"""Bytes of text that are split into lines at a time; their ids are looked up together."""


class LineSlice:
    """Some lines, and their problems."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.surplus = 0  # further blank lines, which are only counted as problems


Part = TypeVar("Part", bound=LineSlice)


class StrictReader(ABC, Generic[Part]):
    """The state of a strict reader after the lines read so far. A file may have `rows`, one for
    each published id or pair, for which `of` is the word."""

    def __init__(self, *, rows: int, of: str) -> None:
        self.rows, self.of = rows, of
        self.findings = Findings()
        self.line = 1
        self.last_line = 1 + rows + MAX_SURPLUS_ROWS
        self.blank = 0  # blank lines just before, which are valid at the end only
        self.unknown = 0

    def read(self, block: bytes) -> None:
        """Reads a block of whole lines."""
        start = 0
        while start < len(block):
            end = block.find(b"\n", start + SLICE_BYTES) + 1 or len(block)
            text = block[start:end]
            if b"\r" in text:
                text = text.replace(b"\r\n", b"\n")
            lines = self._tidied(text).removesuffix(b"\n").split(b"\n")
            if any(lines):
                self._read_lines(lines)
            else:
                self.blank += len(lines)
                self.line += len(lines)
            start = end

    def _tidied(self, text: bytes) -> bytes:
        """Removes redundant quotes from lines; by default, none."""
        return text

    @abstractmethod
    def _slice(self) -> Part:
        """Creates an empty part for the contents of some lines."""

    @abstractmethod
    def _look(self, raw: bytes, part: Part) -> None:
        """Parses the line with the number `self.line`, and adds its rows and problems to `part`."""

    @abstractmethod
    def _enter(self, part: Part) -> None:
        """Records the rows of some lines as seen, and adds their problems."""

    def _read_lines(self, lines: list[bytes]) -> None:
        part = self._slice()
        for line in lines:
            self.line += 1
            if not line:
                self.blank += 1
                continue
            if self.blank:
                self._refuse_blanks(part)
            if self.line > self.last_line:
                self._settle(part)
                raise self.findings.too_many_rows(
                    self.last_line + 1, published=self.rows, of=self.of
                )
            if not self.findings.enough:
                self._look(line, part)
        self._settle(part)

    def _settle(self, part: Part) -> None:
        """Records some lines, and adds their problems in order."""
        self._enter(part)
        for problem in sorted(part.problems, key=lambda problem: problem.line or 0):
            if not self.findings.enough:
                self.findings.add(problem)
        if not self.findings.enough:
            self.findings.count += part.surplus

    def _refuse_blanks(self, part: Part) -> None:
        start = self.line - self.blank
        for line in range(start, min(self.line, start + SHOWN_PROBLEMS)):
            problem = Problem(Code.BLANK_LINE, "the line is blank", line, hint=Hint.BLANK_LINE)
            part.problems.append(problem)
        part.surplus += max(0, self.blank - SHOWN_PROBLEMS)
        self.last_line += self.blank  # they are not rows
        self.blank = 0
