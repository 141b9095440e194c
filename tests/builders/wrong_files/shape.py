"""The shape of a wrong file, and of the competition that it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contest:
    """A competition: its settings, its ground truth with a column Usage, and a good file."""

    settings: dict[str, Any]
    truth: str
    good: str


@dataclass(frozen=True)
class Wrong:
    """A file that is refused: the code and the line of its first problem, and words of the hint.

    `in_browser` says whether the page that looks at the file before it is sent sees the problem; it
    knows no published ids.
    """

    contest: str
    name: str
    text: str | bytes
    code: str
    line: int | None
    hint: str
    in_browser: bool = True

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode() if isinstance(self.text, str) else self.text

    def __str__(self) -> str:
        return f"{self.contest}: {self.name}"
