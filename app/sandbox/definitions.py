"""The tasks of the sandbox: what each is given, which files it leaves, and what it answers.

Every member of a task or of a result travels as JSON; `serialization` reads it strictly. A path is
a file that the child may read. `task` is what the competition asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from podium.otto.clickstreams import Columns
from podium.sandbox import SandboxTask
from podium.scoring.task import Task

HITS, TRUTH, PUBLISHED = "hits.parquet", "truth.parquet", "published.parquet"
SAMPLE, ITEMS, COLUMNS = "sample.csv", "items.parquet", "sessions.parquet"
"""Names of the files that children leave in the folder that they work in."""

SESSIONS = "sessions"
PREPARED = {
    name: f"{SESSIONS}/{name}"
    for name in ("train_sessions.jsonl", "test_sessions.jsonl", "item_names.csv")
}
"""Files that are prepared of raw sessions for participants, by the names of the downloads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Rows of a submission."""

    rows: int
    missing: int
    empty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitFigures:
    """The figures of one split, as in `scoring.result.SplitScore`; exact values are texts `p/q`."""

    hits: Mapping[str, int]
    denominators: Mapping[str, int]
    queries: Mapping[str, int]
    values: Mapping[str, str]
    diagnostics: Mapping[str, Mapping[str, str]]
    standard_error: float | None
    diagnostic_errors: Mapping[str, float | None]
    notes: Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintFigures:
    """The fingerprint of a file, by which alike files are found; `sketch` in hexadecimal digits."""

    scheme: str
    content: str
    sketch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A good file. `metrics` are what each objective was scored by; `scores` the weighted score of
    each split as text `p/q`, `diagnostic_scores` the same of each diagnostic."""

    STATUS: ClassVar = "scored"

    counts: Counts
    splits: Mapping[str, SplitFigures]
    scorer_version: str
    metrics: Mapping[str, str]
    scores: Mapping[str, str]
    diagnostic_scores: Mapping[str, Mapping[str, str]]
    fingerprint: FingerprintFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFile(SandboxTask[Judged]):
    """Scores a submission."""

    NAME: ClassVar = "judge"
    RESULT: ClassVar = Judged
    LEAVES: ClassVar = (HITS,)

    file: Path
    task: Task
    published: Path
    truth: Path
    truth_sha256: str
    items: Path | None = None
    items_sha256: str | None = None
    fingerprint_seed: int | None = None


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
    to split off as the test set (None: all of it is the test set, if the file holds sessions at
    all), and the names of a clickstream's columns."""

    key: str
    days: float | None
    columns: Columns | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthRead:
    """A good ground truth: the hash of its canonical form, and the names of what was prepared."""

    STATUS: ClassVar = "read"

    sha256: str
    summary: Mapping[str, Any]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTruth(SandboxTask[TruthRead]):
    """Canonicalizes a ground truth. `before` is the canonical form of an earlier one whose sides
    must be kept."""

    NAME: ClassVar = "read-ground-truth"
    RESULT: ClassVar = TruthRead
    LEAVES: ClassVar = (TRUTH, PUBLISHED, *PREPARED.values())

    file: Path
    task: Task
    published: Path | None
    split: Split
    before: Path | None = None
    cutting: Cutting | None = None


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
    """The sample is there."""

    STATUS: ClassVar = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSample(SandboxTask[SampleWritten]):
    """Writes the sample submission."""

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
    """Canonicalizes an item file."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedSplit:
    """Scores as texts `p/q`: `random` is what guesses among all labelled items would score, and
    `standard_error` that of a file with every other label."""

    perfect: str
    optimum: str
    empty: str
    random: str
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """The outcome of a launch's probes; `refusal` says why the sample file was not accepted."""

    STATUS: ClassVar = "probed"

    perfect_is_optimal: bool
    empty_is_worst: bool
    sample_is_accepted: bool
    refusal: str
    splits: Mapping[str, ProbedSplit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(SandboxTask[Probed]):
    """Tries a launch: the perfect file must reach the optimum, the empty sample file the worst."""

    NAME: ClassVar = "probe"
    RESULT: ClassVar = Probed

    task: Task
    published: Path
    truth: Path
    truth_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsRef:
    """Hits of judged submissions, and what they were judged against."""

    hits: tuple[Path, ...]
    task: Task
    published: Path
    truth: Path
    truth_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Submissions beside each other, by split, as `scoring.analysis.comparison` makes it."""

    STATUS: ClassVar = "compared"

    splits: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(SandboxTask[Compared]):
    """Compares submissions by their hits."""

    NAME: ClassVar = "compare"
    RESULT: ClassVar = Compared

    judged: HitsRef


@dataclass(frozen=True, slots=True, kw_only=True)
class TiesFound:
    """Ties of all submissions but the first: true where the score could as well be the first
    one's."""

    STATUS: ClassVar = "compared"

    ties: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindTies(SandboxTask[TiesFound]):
    """Finds the submissions that do not differ from the first."""

    NAME: ClassVar = "find-ties"
    RESULT: ClassVar = TiesFound

    judged: HitsRef
    split: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFound:
    """The standard error of the difference of two public scores; None where there is none."""

    STATUS: ClassVar = "compared"

    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindError(SandboxTask[ErrorFound]):
    """Finds how uncertain the difference of the public scores of two submissions is."""

    NAME: ClassVar = "find-error"
    RESULT: ClassVar = ErrorFound

    judged: HitsRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmented:
    """The score by segments, as `scoring.analysis.segments` makes it."""

    STATUS: ClassVar = "segmented"

    segments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeApart(SandboxTask[Segmented]):
    """Takes the score of the only submission apart."""

    NAME: ClassVar = "segments"
    RESULT: ClassVar = Segmented

    judged: HitsRef
    sessions: Path | None = None
    items: Path | None = None
    items_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """The parts of the isolation and their states, by name."""

    STATUS: ClassVar = "described"

    isolation: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe(SandboxTask[Described]):
    """Says how a child is isolated; `is_whole` loads everything that tasks need as well."""

    NAME: ClassVar = "describe"
    RESULT: ClassVar = Described

    is_whole: bool
