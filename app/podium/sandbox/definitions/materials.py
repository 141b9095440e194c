"""The tasks about organizers' uploads, and about the sample submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from podium.preparation.clickstreams import Columns
from podium.preparation.options import Options
from podium.sandbox import SandboxTask
from podium.sandbox.definitions.tables import SOLUTION_OF
from podium.scoring.task import Task

TRUTH, PUBLISHED = "truth.parquet", "published.parquet"
SAMPLE, ITEMS, COLUMNS = "sample.csv", "items.parquet", "sessions.parquet"
"""Names of files that children write into their folder."""

SESSIONS, INTERACTIONS = "sessions", "interactions"
CATALOGUE = "items.csv"
"""The items of a training set, for participants and for metrics beyond accuracy."""

_FOLDERS = {
    SESSIONS: ("train_sessions.jsonl", "test_sessions.jsonl", "item_names.csv"),
    INTERACTIONS: ("train.parquet", "train.csv", CATALOGUE, "report.md", "dataset.json"),
}
PREPARED = {name: f"{folder}/{name}" for folder, names in _FOLDERS.items() for name in names}
"""Files that are prepared for participants, by the names of their downloads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The rule that divides sessions: the organizer's column, or a hash with a `secret` (in
    hexadecimal digits) that makes a `public_fraction` (decimal text) of them public."""

    kind: Literal["usage", "hash"]
    secret: str = ""
    public_fraction: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutting:
    """The rule that cuts whole sessions: the `key` of the cuts (in hexadecimal digits), the `days`
    to split off as the test set (None: a file of whole sessions is the test set as a whole), and
    the names of a clickstream's columns."""

    key: str
    days: float | None
    columns: Columns | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hiding:
    """The rule that hides interactions: the `key` of all draws (in hexadecimal digits), and the
    `options`. With `may_fit`, objectives and the id column are set as the file needs them."""

    key: str
    options: Options
    may_fit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsOfTraining:
    """Statistics of the item file of a training set, which is written as `ITEMS`."""

    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthRead:
    """A good ground truth: the hash of its canonical form, the names of the prepared files, and the
    `settings` that had to be changed for it."""

    STATUS: ClassVar = "read"

    sha256: str
    summary: Mapping[str, Any]
    files: tuple[str, ...]
    settings: Mapping[str, Any] | None = None
    items: ItemsOfTraining | None = None
    parts: Mapping[str, str] | None = None
    """The hashes of the files of a table's solution by split, which are written as
    `SOLUTION_OF`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTruth(SandboxTask[TruthRead]):
    """Canonicalizes a ground truth. `before` is the canonical form of the active one: changes
    against it are counted, and a row's `Usage` must stay the same."""

    NAME: ClassVar = "read-ground-truth"
    RESULT: ClassVar = TruthRead
    LEAVES: ClassVar = (TRUTH, PUBLISHED, ITEMS, *SOLUTION_OF.values(), *PREPARED.values())

    file: Path
    task: Task
    published: Path | None
    split: Split
    before: Path | None = None
    cutting: Cutting | Hiding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdsRead:
    """A good list of published ids."""

    STATUS: ClassVar = "read"

    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadIds(SandboxTask[IdsRead]):
    """Reads a list of published sessions, or pairs."""

    NAME: ClassVar = "read-published-ids"
    RESULT: ClassVar = IdsRead
    LEAVES: ClassVar = (PUBLISHED,)

    file: Path
    task: Task


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleWritten:
    """The sample submission was written."""

    STATUS: ClassVar = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSample(SandboxTask[SampleWritten]):
    """Writes the sample submission of published ids to the file `SAMPLE`."""

    NAME: ClassVar = "write-sample"
    RESULT: ClassVar = SampleWritten
    LEAVES: ClassVar = (SAMPLE,)

    task: Task
    published: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsRead:
    """A good item file: the hash of its canonical form."""

    STATUS: ClassVar = "read"

    sha256: str
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadItems(SandboxTask[ItemsRead]):
    """Canonicalizes an item file to the file `ITEMS`, with its hash and a summary."""

    NAME: ClassVar = "read-items"
    RESULT: ClassVar = ItemsRead
    LEAVES: ClassVar = (ITEMS,)

    file: Path
    task: Task
    training_users: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsRead:
    """A good file about sessions."""

    STATUS: ClassVar = "read"

    columns: tuple[str, ...]
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSessions(SandboxTask[SessionsRead]):
    """Reads a file about sessions."""

    NAME: ClassVar = "read-sessions"
    RESULT: ClassVar = SessionsRead
    LEAVES: ClassVar = (COLUMNS,)

    file: Path
    task: Task
    published: Path
