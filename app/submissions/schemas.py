"""The submission of the HTTP contract: one document for the 202, the lists, the single look and
the live events."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.errors.codes import ErrorCode, ForeignCode
from podium.http.errors import problem_document, status_of
from podium.http.schemas import PROBLEM_SCHEMA, PersonOut, ShownTime
from podium.sandbox.answers import error_for
from podium.submissions.service.submissions import find_submission
from podium.submissions.service.views import Objectives, SubmissionView, present


class FileCountsOut(BaseModel):
    """What was counted in the file; nothing here comes from the ground truth."""

    rows: int
    missing: int
    empty: int


class SplitScoresOut(BaseModel):
    """A figure on both splits: the score of an objective, a diagnostic, a standard error."""

    public: float | None
    private: float | None


class DisqualificationOut(BaseModel):
    """Since when a submission does not count, and why."""

    at: ShownTime
    reason: str


class SubmissionOut(BaseModel):
    """A submission as the caller may see it. Scores are rounded to the competition's `decimals`."""

    id: str
    competition: str
    team: PersonOut
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
    """By the full id of the metric, weighted as the score; seen by whoever sees `objectives`."""
    standard_error: SplitScoresOut | None
    """For organizers, and for everybody else after the reveal."""
    diagnostic_errors: dict[str, SplitScoresOut] | None
    queue_position: int | None
    progress: float | None
    problem: Annotated[dict[str, Any] | None, Field(json_schema_extra=PROBLEM_SCHEMA)]
    counts: FileCountsOut | None
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
    """Why a score is not shown."""
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
    members = {name: getattr(view, name) for name in _SAME}
    return SubmissionOut(
        **members,
        team=PersonOut(id=view.team_id, name=view.team_name),
        problem=_problem(view),
        counts=FileCountsOut(**view.counts) if view.counts else None,
        objectives=_by_split(view.objectives),
        diagnostics=_by_split(view.diagnostics),
        standard_error=SplitScoresOut(**view.standard_error) if view.standard_error else None,
        diagnostic_errors=_by_split(view.diagnostic_errors),
    )


_SAME = (
    "id",
    "competition",
    "status",
    "filename",
    "note",
    "bytes",
    "sha256",
    "submitted_at",
    "judged_at",
    "public_score",
    "private_score",
    "queue_position",
    "progress",
    "scorer_version",
    "ground_truth_version",
    "selected",
    "identical_to",
    "late",
    "disqualified",
    "shown",
    "notice",
    "failure",
    "hits",
    "notes",
)


def _by_split(figures: Objectives | None) -> dict[str, SplitScoresOut] | None:
    if figures is None:
        return None
    return {name: SplitScoresOut(**both) for name, both in figures.items()}


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
    facts = {
        name: value
        for name, value in view.problem.items()
        if name not in ("code", "detail", "errors", "error_count")
    }
    return problem_document(
        # What the upload would have been answered with, had it been judged while the client waited.
        status=status_of(error_for(view.problem)),
        code=ForeignCode(view.problem["code"]),
        detail=view.problem["detail"],
        request_id=None,
        problems=view.problem.get("errors"),
        problem_count=view.problem.get("error_count"),
        **facts,
    )


def shown(session: WriteSession, actor: Actor, submission_id: str) -> SubmissionOut:
    """A submission after an act in the same transaction, as the actor sees it."""
    session.flush()
    found, is_organizer = find_submission(session, submission_id=submission_id, actor=actor)
    (view,) = present(session, [found], is_organizer=is_organizer)
    return submission_document(view)
