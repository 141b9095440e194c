"""The one way in which a submission is shown: everywhere the same fields, the same rounding and
the same silence about what may not be seen yet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import Session

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of
from podium.core.judging_states import State
from podium.core.models import PrivateScore
from podium.core.visibility import ScoreVisibility, visibility_of
from podium.errors import NotFound
from podium.standings.rules import NO_IMPROVEMENT, shown_number, shown_units
from podium.submissions.queries import submissions
from podium.submissions.queries.submissions import Found

PROGRESS_STEPS = 20
"""Progress is shown in so many steps: finer ones would tell how long single stages take."""

COUNTED = ("rows", "missing", "empty")
"""Counts that come from the file and the published ids alone."""

BySplit = dict[str, float | None]
Objectives = dict[str, BySplit]


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission as somebody may see it. Scores are rounded to the competition's `decimals`.

    `diagnostics` are seen by whoever sees `objectives`, weighted as the score; standard errors by
    organizers, and by others after the reveal. `shown` says what a ladder has decided, `notice` why
    it holds a score back. `problem` is why the file was rejected, `failure` (organizers only) why
    we failed; `hits` (organizers only) holds the integers per objective and
    split, `notes` (organizers only) counts that help to read diagnostics.
    """

    id: str
    competition: str
    team_id: str
    team_name: str
    status: State
    filename: str
    note: str
    bytes: int
    sha256: str
    submitted_at: datetime
    judged_at: datetime | None
    public_score: float | None
    private_score: float | None
    objectives: Objectives | None
    diagnostics: Objectives | None
    standard_error: BySplit | None
    diagnostic_errors: Objectives | None
    queue_position: int | None
    progress: float | None
    problem: dict[str, Any] | None
    counts: dict[str, int] | None
    scorer_version: str | None
    ground_truth_version: int
    selected: bool
    identical_to: str | None
    late: bool
    disqualified: dict[str, Any] | None
    shown: bool | None
    notice: str | None
    failure: str | None = None
    hits: dict[str, dict[str, Any]] | None = None
    notes: dict[str, dict[str, Any]] | None = None


def present(
    session: Session, found: Sequence[Found], *, is_organizer: bool
) -> list[SubmissionView]:
    """Shows submissions to one of their team, or to an organizer, in a fixed number of queries."""
    positions: dict[str, int] = {}
    if any(row.judging.state == State.QUEUED for row in found):
        waiting = submissions.waiting_judgings(session)
        positions = {judging_id: place for place, judging_id in enumerate(waiting, start=1)}
    sights = {row.submission.id: _sight(row, is_organizer) for row in found}
    visible = [row.judging.id for row in found if sights[row.submission.id].private_score]
    private = submissions.private_scores_of(session, judging_ids=visible) if visible else {}
    return [
        _view(
            row,
            sights[row.submission.id],
            position=positions.get(row.judging.id),
            private=private.get(row.judging.id),
            is_organizer=is_organizer,
        )
        for row in found
    ]


def present_accepted(session: Session, *, submission_id: str) -> SubmissionView:
    """A submission as it was at the moment of its acceptance, whatever became of it since: so that
    a repeated request gets the first answer again."""
    found = submissions.find(session, submission_id=submission_id)
    if found is None:
        raise NotFound("The submission is gone.")
    return SubmissionView(**_unjudged(found), status=State.QUEUED, **_NOTHING_YET)


_NOTHING_YET: dict[str, Any] = {
    "judged_at": None,
    "public_score": None,
    "private_score": None,
    "objectives": None,
    "diagnostics": None,
    "standard_error": None,
    "diagnostic_errors": None,
    "queue_position": None,
    "progress": 0.0,
    "problem": None,
    "counts": None,
    "scorer_version": None,
    "selected": False,
    "disqualified": None,
    "shown": None,
    "notice": None,
}


def _view(
    row: Found,
    sight: ScoreVisibility,
    *,
    position: int | None,
    private: PrivateScore | None,
    is_organizer: bool,
) -> SubmissionView:
    settings = settings_of(row.competition)
    judging, state = row.judging, State(row.judging.state)
    public = row.public if state is State.SCORED else None
    counts = judging.counts
    return SubmissionView(
        **_unjudged(row),
        status=state,
        judged_at=judging.judged_at,
        public_score=_rounded(public.score, settings) if public and sight.public_score else None,
        private_score=_rounded(private.score, settings) if private else None,
        objectives=_objectives(row, sight, private, settings),
        diagnostics=_diagnostics(row, sight, private, settings),
        **_errors(row, sight, private),
        queue_position=position if state is State.QUEUED else None,
        progress=_progress(judging.progress, state),
        problem=judging.problem if state is State.REJECTED else None,
        counts={name: int(counts.get(name, 0)) for name in COUNTED} if counts else None,
        scorer_version=judging.scorer_version,
        selected=row.submission.is_selected,
        disqualified=_disqualified(row),
        shown=_is_shown(row, sight, settings),
        notice=NO_IMPROVEMENT if sight.is_held_back else None,
        failure=judging.failure if is_organizer else None,
        hits=_hits(row, private) if is_organizer and public else None,
        notes=_notes(row, private) if is_organizer and public else None,
    )


def _unjudged(row: Found) -> dict[str, Any]:
    submission = row.submission
    return {
        "id": submission.id,
        "competition": row.competition.slug,
        "team_id": row.team.id,
        "team_name": row.team.name,
        "filename": submission.filename,
        "note": submission.note,
        "bytes": submission.bytes,
        "sha256": submission.sha256,
        "submitted_at": submission.submitted_at,
        "ground_truth_version": row.judging.ground_truth_version,
        "identical_to": submission.identical_to,
        "late": submission.is_late,
    }


def _disqualified(row: Found) -> dict[str, Any] | None:
    at = row.submission.disqualified_at
    return None if at is None else {"at": at, "reason": row.submission.disqualified_because}


def _sight(row: Found, is_organizer: bool) -> ScoreVisibility:
    return visibility_of(
        is_organizer=is_organizer,
        submitted_at=row.submission.submitted_at,
        frozen_at=row.competition.frozen_at,
        revealed_at=row.competition.revealed_at,
        objective_scores=settings_of(row.competition).objective_scores,
        is_held_back=row.submission.is_held_back,
    )


def _is_shown(row: Found, sight: ScoreVisibility, settings: CompetitionSettings) -> bool | None:
    """What a ladder has decided, to those who may know it; None on an exact board."""
    if sight.is_held_back:
        return False
    is_scored = row.judging.state == State.SCORED
    return True if settings.board == "ladder" and is_scored and sight.public_score else None


def _objectives(
    row: Found, sight: ScoreVisibility, private: PrivateScore | None, settings: CompetitionSettings
) -> Objectives | None:
    if row.public is None or not sight.public_objectives:
        return None
    hidden = private.objectives if private is not None and sight.private_objectives else {}
    return {
        name: {
            "public": _rounded(Fraction(public["value"]), settings),
            "private": _rounded(Fraction(hidden[name]["value"]), settings) if hidden else None,
        }
        for name, public in row.public.objectives.items()
    }


def _diagnostics(
    row: Found, sight: ScoreVisibility, private: PrivateScore | None, settings: CompetitionSettings
) -> Objectives | None:
    if row.public is None or row.public.diagnostics is None or not sight.public_objectives:
        return None
    hidden: dict[str, Any] = {}
    if private is not None and sight.private_objectives:
        hidden = private.diagnostics or {}
    return {
        metric: {
            "public": _rounded(Fraction(public["score"]), settings),
            "private": (
                _rounded(Fraction(hidden[metric]["score"]), settings) if metric in hidden else None
            ),
        }
        for metric, public in row.public.diagnostics.items()
    }


def _errors(row: Found, sight: ScoreVisibility, private: PrivateScore | None) -> dict[str, Any]:
    """Standard errors, to whoever may see the private score: they tell more of the ground truth
    than a rounded score does. Those of diagnostics only beside the diagnostics."""
    public = row.public
    if public is None or private is None or not sight.private_score:
        return {"standard_error": None, "diagnostic_errors": None}
    both = {"public": public.diagnostic_errors or {}, "private": private.diagnostic_errors or {}}
    of_diagnostics = {
        metric: {split: errors.get(metric) for split, errors in both.items()}
        for metric in public.diagnostics or {}
    }
    return {
        "standard_error": {"public": public.standard_error, "private": private.standard_error},
        "diagnostic_errors": of_diagnostics if sight.private_objectives else None,
    }


def _hits(row: Found, private: PrivateScore | None) -> dict[str, dict[str, Any]]:
    public = row.public.objectives if row.public is not None else {}
    hidden = private.objectives if private is not None else {}
    return {name: {"public": public[name], "private": hidden.get(name)} for name in public}


def _notes(row: Found, private: PrivateScore | None) -> dict[str, dict[str, Any]]:
    public = (row.public.diagnostics if row.public is not None else None) or {}
    hidden = (private.diagnostics if private is not None else None) or {}
    return {
        metric: {"public": of_metric["notes"], "private": hidden.get(metric, {}).get("notes")}
        for metric, of_metric in public.items()
        if of_metric.get("notes")
    }


def _rounded(score: Fraction, settings: CompetitionSettings) -> float:
    return float(shown_number(shown_units(score, settings.decimals), settings.decimals))


def _progress(progress: float, state: State) -> float | None:
    if state.is_final:
        return None
    if state is State.QUEUED:
        return 0.0
    return min(1.0, math.floor(progress * PROGRESS_STEPS) / PROGRESS_STEPS)
