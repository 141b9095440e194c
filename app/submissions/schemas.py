"""The submission of the HTTP contract: one document for the 202, the lists, the single look and
the live events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import Field

from podium.core.judging_states import State
from podium.core.models import SigningKey
from podium.errors.codes import ErrorCode
from podium.http.errors import problem_document, rejection_document
from podium.http.schemas import Output, PersonOut, ProblemOut, ShownTime, example
from podium.submissions.service.views import SubmissionView


class FileCountsOut(Output):
    """What was counted in the file; nothing here comes from the ground truth."""

    rows: int
    missing: int
    empty: int


class ListLengthsOut(Output):
    """The lists of an objective, cut to the `k` items that count: how many there are, have no item,
    and have K; and the number of all their items."""

    k: int
    lists: int
    empty: int
    full: int
    items: int


class CatalogueUseOut(Output):
    """The catalogue of the competition's item file: its number of items, how many of them are
    predicted, and how many different predicted items are not in it."""

    items: int
    predicted: int
    unknown: int


class ListStatisticsOut(Output):
    """Statistics of the lists of a file. Nothing here comes from the ground truth."""

    objectives: dict[str, ListLengthsOut]
    counted_share: int
    """Items are counted in the lists of every n-th published query: 1, except in large files."""
    distinct: int | None
    """Different items among the first K; null for more than two million texts."""
    catalogue: CatalogueUseOut | None
    """Null where the organizers gave no item file."""


class SplitScoresOut(Output):
    """A figure on both splits: the score of an objective, a diagnostic, a standard error."""

    public: float | None
    private: float | None


class DisqualificationOut(Output):
    """Since when a submission does not count, and why."""

    at: ShownTime
    reason: str


EXAMPLE: dict[str, Any] = {
    "id": "019a9f6c-0000-7000-8000-000000000001",
    "competition": "otto",
    "team": {"id": "019a9f6c-0000-7000-8000-000000000002", "name": "Team Ada"},
    "submitted_by": {"id": "019a9f6c-0000-7000-8000-000000000004", "name": "ada"},
    "status": "scored",
    "filename": "submission.csv",
    "note": "v3",
    "bytes": 821_000_000,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "submitted_at": "2026-11-24T12:00:00Z",
    "judged_at": "2026-11-24T12:00:41Z",
    "public_score": 0.57123,
    "private_score": None,
    "objectives": None,
    "diagnostics": None,
    "standard_error": None,
    "diagnostic_errors": None,
    "queue_position": None,
    "progress": None,
    "problem": None,
    "counts": {"rows": 5_015_409, "missing": 0, "empty": 12},
    "lists": None,
    "scorer_version": "1",
    "ground_truth_version": 1,
    "selected": False,
    "identical_to": None,
    "late": False,
    "disqualified": None,
    "shown": None,
    "notice": None,
}

EXAMPLE_ACCEPTED = {
    **EXAMPLE,
    "status": "queued",
    "judged_at": None,
    "public_score": None,
    "queue_position": 1,
    "progress": 0.0,
    "counts": None,
    "scorer_version": None,
}
"""The same when it has just been taken in."""


class SubmissionOut(Output):
    """A submission as the caller may see it. Scores are rounded to the competition's `decimals`."""

    model_config = example(**EXAMPLE)

    id: str
    competition: str
    team: PersonOut
    submitted_by: PersonOut
    """The member of the team who sent the file."""
    status: Annotated[State, Field(examples=["scored"])]
    filename: Annotated[str, Field(examples=["submission.csv"])]
    note: str
    bytes: int
    sha256: str
    submitted_at: ShownTime
    judged_at: ShownTime | None
    public_score: Annotated[float | None, Field(examples=[0.57123])]
    private_score: float | None
    objectives: dict[str, SplitScoresOut] | None
    diagnostics: Annotated[
        dict[str, SplitScoresOut] | None,
        Field(examples=[{"mrr@20": {"public": 0.31251, "private": None}}]),
    ]
    """By the full id of the metric, weighted as the score; seen by those who see `objectives`."""
    standard_error: SplitScoresOut | None
    """For organizers, and for everybody else after the reveal."""
    diagnostic_errors: dict[str, SplitScoresOut] | None
    queue_position: int | None
    progress: float | None
    problem: ProblemOut | None
    """The reason for a rejection, or that we failed: as if the upload had been answered with it."""
    counts: FileCountsOut | None
    lists: Annotated[
        ListStatisticsOut | None,
        Field(
            examples=[
                {
                    "objectives": {
                        "clicks": {"k": 20, "lists": 900, "empty": 4, "full": 837, "items": 17190}
                    },
                    "counted_share": 1,
                    "distinct": 18302,
                    "catalogue": {"items": 44600, "predicted": 18290, "unknown": 12},
                }
            ]
        ),
    ]
    """For files of ranked lists, once they are scored."""
    scorer_version: str | None
    ground_truth_version: int
    selected: bool
    identical_to: str | None
    """The team's earlier submission of the same bytes."""
    late: bool
    """Sent after the close: scored, but on no board and never a final."""
    disqualified: DisqualificationOut | None
    shown: bool | None
    """With `board: ladder` whether the public score is shown; null until that is decided."""
    notice: Annotated[str | None, Field(examples=[None])]
    """The reason why a score is not shown."""
    failure: str | None = None
    """For organizers: why we failed."""
    hits: dict[str, dict[str, Any]] | None = None
    """For organizers: hits and denominators, per objective and split."""
    notes: Annotated[
        dict[str, dict[str, Any]] | None,
        Field(
            examples=[{"ild@20": {"public": {"short_lists": {"clicks": 3}}, "private": None}}],
        ),
    ] = None
    """For organizers: counts that help to read a diagnostic, per split and objective."""


def submission_document(view: SubmissionView) -> SubmissionOut:
    """The document of a submission; a rejection becomes a whole problem document."""
    return SubmissionOut.of(view, view.submission, view.judging, problem=_problem(view))


def _problem(view: SubmissionView) -> dict[str, Any] | None:
    if view.status is State.FAILED:
        return problem_document(
            status=503,
            code=ErrorCode.JUDGING_FAILED,
            detail="We could not judge this file. That is our fault and costs no quota; the"
            " organizers see why.",
            request_id=None,
        )
    if view.problem is None:
        return None
    return rejection_document(view.problem)


Hex = Annotated[str, Field(pattern="^[0-9a-f]+$", examples=["9f86d081884c7d65"])]


class SigningKeyOut(Output):
    """A key that signs receipts, or did. `public_key` is the 32 bytes of Ed25519 as hex."""

    key_id: Hex
    public_key: Hex
    algorithm: Annotated[str, Field(examples=["Ed25519"])] = "Ed25519"
    created_at: ShownTime
    retired_at: ShownTime | None


class SigningKeysOut(Output):
    """All keys, the newest first. What a retired one has signed stays valid."""

    current: Hex
    keys: list[SigningKeyOut]

    @classmethod
    def of_keys(cls, keys: Sequence[SigningKey]) -> Self:
        """The document of the keys that there are, of which one signs."""
        return cls(
            current=next(key.id for key in keys if key.retired_at is None),
            keys=[SigningKeyOut.of(key, key_id=key.id) for key in keys],
        )


class CommitmentOut(Output):
    """HMAC-SHA256 of the canonical ground truth's SHA-256 (hex text) by `salt`; the salt and that
    hash are told after the reveal."""

    version: int
    commitment: Hex
    salt: Hex | None
    sha256: Hex | None


class CommitmentsOut(Output):
    """Every version of the ground truth that is or was in force."""

    competition: str
    commitments: list[CommitmentOut]


class UploadOut(Output):
    """How far an upload has come; sizes in bytes."""

    model_config = example(
        id="019a9f6c-0000-7000-8000-000000000003",
        offset=8_388_608,
        length=821_000_000,
        filename="submission.csv",
        complete=False,
        busy=False,
        expires_at="2026-11-25T12:00:00Z",
        submission_id=None,
        file_sha256=None,
    )

    id: str
    offset: Annotated[int, Field(examples=[8388608])]
    length: Annotated[int | None, Field(examples=[821000000])]
    filename: Annotated[str | None, Field(examples=["submission.csv"])]
    """As `Upload-Metadata` named it."""
    complete: bool
    busy: bool
    """Another request is still at work on it: wait a moment before you append."""
    expires_at: ShownTime
    submission_id: str | None
    """The submission that was made of it, once there is one."""
    file_sha256: str | None
    """The SHA-256 of the organizer's file that was made of it, once there is one."""
