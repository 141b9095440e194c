"""The submission of the HTTP contract: one document for the 202, the lists, the single look and
the live events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field

from podium.core.judging_states import State
from podium.core.models import SigningKey
from podium.errors.codes import ErrorCode
from podium.http import examples
from podium.http.errors import problem_document, rejection_document
from podium.http.members import (
    CompetitionSlug,
    CreatedAt,
    DisqualifiedAt,
    FileHash,
    FileSize,
    Id,
    JudgedWith,
    ReasonForAll,
    SubmittedAt,
    TeamRef,
)
from podium.http.schemas import Output, PersonOut, ProblemOut, ShownTime, example
from podium.submissions.service.views import SubmissionView


class FileCountsOut(Output):
    """What was counted in the file; nothing here comes from the ground truth."""

    rows: int
    """Rows of the file, without the header; its lists where each item has a row."""
    missing: Annotated[int, Field(examples=[0])]
    """Published ids that have no row."""
    empty: int
    """Rows without any item."""
    form: Annotated[
        str,
        Field(exclude_if=lambda form: not form, examples=["one item per row, by rank; no header"]),
    ] = ""
    """The form in which the file was read, in words, if it is not that of the sample."""


class ListLengthsOut(Output):
    """The lists of an objective, cut to the items that count."""

    k: int
    """The number of items of a list that count."""
    lists: Annotated[int, Field(examples=[1_671_803])]
    """Lists that were counted."""
    empty: int
    """Lists without an item."""
    full: Annotated[int, Field(examples=[1_671_803])]
    """Lists with K items."""
    items: Annotated[int, Field(examples=[33_436_060])]
    """The items of all lists together."""


class CatalogueUseOut(Output):
    """How much of the item file's catalogue is predicted."""

    items: Annotated[int, Field(examples=[1_855_603])]
    """Items of the catalogue."""
    predicted: Annotated[int, Field(examples=[911_204])]
    """The number of them that stand in some list."""
    unknown: Annotated[int, Field(examples=[17])]
    """Different predicted items that the catalogue does not hold."""
    without_zeros: Annotated[int, Field(exclude_if=lambda kept: not kept)] = 0
    """Those that it holds with leading zeros."""
    as_floats: Annotated[int, Field(exclude_if=lambda kept: not kept)] = 0
    """Those that it holds without `.0` at their end."""


class ListStatisticsOut(Output):
    """Statistics of the lists of a file. Nothing here comes from the ground truth."""

    objectives: dict[str, ListLengthsOut]
    """The lengths of the lists, by objective."""
    counted_share: Annotated[int, Field(examples=[1])]
    """Items are counted in the lists of every n-th published query: 1, except in large files."""
    distinct: Annotated[int | None, Field(examples=[1_420_611])]
    """Different items among the first K; null for more than two million texts."""
    catalogue: CatalogueUseOut | None
    """Null where the organizers gave no item file."""


class SplitScoresOut(Output):
    """A figure on both splits: the score of an objective, a diagnostic, a standard error."""

    public: float | None
    """The figure on the public split. Null while it is hidden."""
    private: float | None
    """The figure on the private split. Null until it may be seen."""


class DisqualificationOut(Output):
    """Since when a submission does not count, and why."""

    at: DisqualifiedAt
    reason: ReasonForAll


def _with_example(schema: dict[str, Any]) -> None:
    schema["examples"] = [EXAMPLE]


class SubmissionOut(Output):
    """A submission as the caller may see it. Scores are rounded to the competition's `decimals`."""

    model_config = ConfigDict(json_schema_extra=_with_example)

    id: Annotated[Id, Field(examples=[examples.SUBMISSION])]
    competition: CompetitionSlug
    team: TeamRef
    submitted_by: PersonOut
    """The member of the team who sent the file."""
    status: Annotated[State, Field(examples=["scored"])]
    """`queued`, `judging`, then `scored`, `rejected` (the file is at fault), `failed` (we are, and
    it is not charged, or the custom metric is) or `cancelled`."""
    filename: Annotated[str, Field(examples=["submission.csv"])]
    """The name that the file was sent with."""
    note: str
    """The team's own note; may be empty."""
    bytes: FileSize
    sha256: FileHash
    submitted_at: SubmittedAt
    judged_at: Annotated[ShownTime | None, Field(examples=["2026-11-24T12:00:41Z"])]
    """The time at which the verdict was reached. Null before."""
    public_score: Annotated[float | None, Field(examples=[0.57123])]
    """The score on the public split. Null until it is scored, or while it is hidden."""
    private_score: Annotated[float | None, Field(examples=[None])]
    """The score on the private split. Null until the reveal, for all but organizers."""
    objectives: Annotated[dict[str, SplitScoresOut] | None, Field(examples=[None])]
    """The score of each objective. Null until they may be seen."""
    diagnostics: Annotated[
        dict[str, SplitScoresOut] | None,
        Field(examples=[{"mrr@20": {"public": 0.31251, "private": 0.31187}}]),
    ]
    """By the full id of the metric, weighted as the score: all for those who see `objectives`, and
    those of `board_diagnostics` for those who see the score."""
    standard_error: SplitScoresOut | None
    """For organizers, and for everybody else after the reveal."""
    diagnostic_errors: Annotated[dict[str, SplitScoresOut] | None, Field(examples=[None])]
    """The standard error of each diagnostic, for those who see `standard_error`."""
    queue_position: Annotated[int | None, Field(examples=[1])]
    """Its place among those that wait, from 1. Null once judging has begun, and in the answer to
    the upload, which knows none yet."""
    progress: Annotated[float | None, Field(examples=[0.4])]
    """The share of the file that was judged, 0 to 1. Null when it is done."""
    problem: ProblemOut | None
    """The reason for a rejection, or that we failed: as if the upload had been answered with it."""
    counts: FileCountsOut | None
    """Counts of rows. Null until the file was read."""
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
    scorer_version: Annotated[str | None, Field(examples=["2"])]
    """The version of the scoring code. Null until it is judged."""
    ground_truth_version: JudgedWith
    selected: bool
    """True if the team chose it for the final ranking."""
    identical_to: Annotated[str | None, Field(examples=[None])]
    """The team's earlier submission of the same bytes."""
    late: bool
    """Sent after the close: scored, but on no board and never a final."""
    disqualified: DisqualificationOut | None
    """Since when, and why, it does not count. Null: it counts."""
    shown: Annotated[bool | None, Field(examples=[None])]
    """With `board: ladder` whether the public score is shown; null until that is decided."""
    notice: Annotated[str | None, Field(examples=[None])]
    """The reason why a score is not shown."""
    failure: Annotated[str | None, Field(examples=[None])]
    """For organizers: why we failed."""
    charged: bool
    """True while it counts against the team's limits. False once it needs no slot, as after most
    rejections, or organizers have given the slot back."""
    waits: bool
    """True while it stays in the queue because the custom metric failed with the team's last
    three files; `notice` says so. Organizers end that by giving a slot back or judging anew."""
    metric_version: Annotated[int | None, Field(examples=[None])]
    """The version of the custom metric that judged it, where one did."""
    private_run: Annotated[str | None, Field(examples=[None])]
    """For organizers: `pending` while their metric has not scored the private split, `failed` where
    it could not; it is not ranked then in the end."""
    metric_notes: Annotated[dict[str, Any] | None, Field(examples=[None])]
    """For organizers: what their metric printed and raised, by split, and the processor."""
    hits: dict[str, dict[str, Any]] | None
    """For organizers: hits and denominators, per objective and split."""
    notes: Annotated[
        dict[str, dict[str, Any]] | None,
        Field(
            examples=[{"ild@20": {"public": {"short_lists": {"clicks": 3}}}}],
        ),
    ]
    """For organizers: counts that help to read a diagnostic, per split and objective."""


EXAMPLE: dict[str, Any] = dict.fromkeys(SubmissionOut.model_fields) | {
    "id": examples.SUBMISSION,
    "competition": "otto",
    "team": {"id": examples.TEAM, "name": "Team Ada"},
    "submitted_by": {"id": examples.ADA, "name": "ada"},
    "status": "scored",
    "filename": "submission.csv",
    "note": "v3",
    "bytes": 821_000_000,
    "sha256": examples.FILE_HASH,
    "submitted_at": "2026-11-24T12:00:00Z",
    "judged_at": "2026-11-24T12:00:41Z",
    "public_score": 0.57123,
    "counts": {"rows": 5_015_409, "missing": 0, "empty": 12},
    "scorer_version": "2",
    "ground_truth_version": 1,
    "selected": False,
    "late": False,
    "charged": True,
    "waits": False,
}
"""A scored submission; members that are not named are null."""

EXAMPLE_ACCEPTED = {
    **EXAMPLE,
    "status": "queued",
    "judged_at": None,
    "public_score": None,
    "progress": 0.0,
    "counts": None,
    "scorer_version": None,
}
"""The same when it has just been taken in."""

EXAMPLE_REJECTED = {
    **EXAMPLE,
    "status": "rejected",
    "public_score": None,
    "counts": None,
    "charged": False,
    "problem": rejection_document(
        {
            "code": examples.FILE_PROBLEM["code"],
            "detail": f"Line 3: {examples.FILE_PROBLEM['detail']}",
            "errors": [examples.FILE_PROBLEM],
            "error_count": 1,
        }
    ),
}
"""The same when the file is at fault."""


def submission_document(view: SubmissionView) -> SubmissionOut:
    """The document of a submission; a rejection becomes a whole problem document."""
    return SubmissionOut.of(view, view.submission, view.judging, problem=_problem(view))


def _charge(view: SubmissionView) -> str:
    if view.charged:
        return "It counts against your limit unless they return the slot or rejudge it."
    return "It does not count against your limit."


def _problem(view: SubmissionView) -> dict[str, Any] | None:
    if view.is_failure_of_metric:
        return problem_document(
            status=503,
            code=ErrorCode.METRIC_FAILED,
            detail=f"The organizers' metric failed with this file. They see why. {_charge(view)}",
            request_id=None,
        )
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
    """A key that signs receipts, or did."""

    key_id: Hex
    """Identifies the key; receipts name it."""
    public_key: Hex
    """The 32 bytes of the Ed25519 key, in hex."""
    algorithm: Annotated[str, Field(examples=["Ed25519"])] = "Ed25519"
    """The signature scheme."""
    created_at: CreatedAt
    retired_at: ShownTime | None
    """The time at which another key took over. Null: it signs now."""


class SigningKeysOut(Output):
    """All keys, the newest first. What a retired one has signed stays valid."""

    current: Hex
    """The `key_id` of the key that signs now."""
    keys: list[SigningKeyOut]
    """The newest first. What a retired one has signed stays valid."""

    @classmethod
    def of_keys(cls, keys: Sequence[SigningKey]) -> Self:
        """The document of the keys that there are, of which one signs."""
        return cls(
            current=next(key.id for key in keys if key.retired_at is None),
            keys=[SigningKeyOut.of(key, key_id=key.id) for key in keys],
        )


class CommitmentOut(Output):
    """A promise that the ground truth is what it was."""

    version: int
    """The number of the ground truth's version."""
    commitment: Hex
    """HMAC-SHA256 of the canonical ground truth's SHA-256 (hex text), with `salt` as the key; in
    hex."""
    salt: Hex | None
    """The key of the HMAC, in hex. Null until the reveal."""
    sha256: Hex | None
    """SHA-256 of the canonical ground truth, in hex. Null until the reveal."""


class CommitmentsOut(Output):
    """Every version of the ground truth that is or was in force."""

    competition: CompetitionSlug
    commitments: list[CommitmentOut]
    """One for each version, in their order."""


class UploadOut(Output):
    """How far an upload has come."""

    model_config = example(
        id=examples.UPLOAD,
        offset=8_388_608,
        length=821_000_000,
        filename="submission.csv",
        complete=False,
        busy=False,
        expires_at="2026-11-25T12:00:00Z",
        submission_id=None,
        file_sha256=None,
    )

    id: Annotated[Id, Field(examples=[examples.UPLOAD])]
    offset: Annotated[int, Field(examples=[8388608])]
    """Bytes that have arrived, in order."""
    length: Annotated[int | None, Field(examples=[821000000])]
    """Bytes of the whole file. Null until the client tells."""
    filename: Annotated[str | None, Field(examples=["submission.csv"])]
    """As `Upload-Metadata` named it."""
    complete: bool
    """True if the last byte has arrived."""
    busy: bool
    """Another request is still at work on it: wait a moment before you append."""
    expires_at: ShownTime
    """The time at which an unfinished upload is discarded."""
    submission_id: Annotated[str | None, Field(examples=[None])]
    """The submission that was made of it, once there is one."""
    file_sha256: Annotated[str | None, Field(examples=[None])]
    """The SHA-256 of the organizer's file that was made of it, once there is one."""
