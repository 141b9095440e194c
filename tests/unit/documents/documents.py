"""The documents of the project, and what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.places import ROOT

DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / ".github").rglob("*.md"),
        ROOT / "app" / "podium" / "README.md",
        *(ROOT / "benchmarks").rglob("*.md"),
    ]
)

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")


def name_of(path: Path) -> str:
    """A document's path as it stands in messages."""
    return str(path.relative_to(ROOT))


def codes(text: str) -> Iterator[str]:
    """The code in a document: the lines of its blocks, and what stands in ticks."""
    for _, block in FENCED.findall(text):
        yield from block.replace("\\\n", " ").splitlines()
    yield from INLINE.findall(FENCED.sub("", text).replace("\n", " "))
