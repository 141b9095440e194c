"""The examples of a document: commands, pieces of Python, files, and what each step prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

BLOCK = re.compile(r"^```(console|python|text|yaml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

FILE = re.compile(r"# (\w+\.(?:py|yaml))\n")
"""The first line of a block that is a file, with its name."""

ANYTHING = "…"
"""Stands for any text within a line; alone in a line, for any lines."""


@dataclass
class Step:
    """Something to run, in the words of the document, and the lines that are printed then."""

    source: str
    is_python: bool = False
    printed: list[str] = field(default_factory=list)

    def explains(self, output: str) -> bool:
        """True if the document promises this output."""
        parts = [r"(?:[^\n]*\n)*" if line == ANYTHING else _line(line) for line in self.printed]
        return re.fullmatch("".join(parts), output) is not None


def steps_of(document: str) -> list[Step]:
    """The steps of a document, in order."""
    steps: list[Step] = []
    for block in BLOCK.finditer(document):
        kind, text = block.groups()
        if kind == "console":
            steps += _commands(text)
        elif named := FILE.match(text):
            steps.append(Step(f"cat > {named[1]} <<'END'\n{text}END"))
        elif kind == "python":
            steps.append(Step(text, is_python=True))
        elif kind == "text":
            steps[-1].printed = text.splitlines()
    return steps


def _commands(text: str) -> Iterator[Step]:
    step: Step | None = None
    for line in text.splitlines():
        if line.startswith("$ "):
            if step is not None:
                yield step
            step = Step(line.removeprefix("$ "))
            continue
        assert step is not None, f"printed before any command: {line}"
        if line.startswith("> ") and step.source.endswith("\\"):
            step.source += f"\n{line.removeprefix('> ')}"
        else:
            step.printed.append(line)
    if step is not None:
        yield step


def _line(line: str) -> str:
    # Columns are as wide as what stands in them, so one space stands for any number.
    words = [ANYTHING if word == ANYTHING else word for word in re.split(r" +", line)]
    return " +".join(_word(word) for word in words) + r" *\n"


def _word(word: str) -> str:
    return "[^\n]*".join(re.escape(part) for part in word.split(ANYTHING))
