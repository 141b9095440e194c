"""The one way in which a submission is shown: everywhere the same fields, the same rounding and
the same silence about what may not be seen yet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sqlalchemy.orm import Session

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of
from podium.core.judging_states import METRIC_FAILED, State
from podium.core.leases import WorkState
from podium.core.lookups import FAILURES_IN_A_ROW, waiting_teams
from podium.core.models import Judging, PrivateScore, PublicScore, Run, Submission, Team, User
from podium.core.models.base import DisqualificationRecord
from podium.core.models.judgings import ObjectiveFigures
from podium.core.visibility import Board, ScoreVisibility, visibility_of
from podium.errors import NotFound
from podium.standings.rules import FROZEN, NO_IMPROVEMENT, shown_number, shown_units
from podium.standings.service.digits import shown_score
from podium.submissions.queries import quota, submissions
from podium.submissions.queries.submissions import Found

PROGRESS_STEPS = 20
"""Progress is shown in so many steps: finer ones would tell how long single stages take."""

COUNTED = ("rows", "missing", "empty")
"""Counts that come from the file and the published ids alone."""

WAITS = (
    f"Waits for the organizers: their metric failed with the last {FAILURES_IN_A_ROW} files of this"
    " team."
)

BySplit = dict[str, float | None]
Objectives = dict[str, BySplit]
Notes = dict[str, dict[str, dict[str, int]] | None]


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission as one viewer may see it; columns that are shown as stored stand in `submission`
    and `judging`. Scores are rounded to the competition's `decimals`.

    `private` is there for those who may see it. `is_as_accepted` shows the submission as it was
    when it was taken in.
    """

    found: Found
    settings: CompetitionSettings
    visibility: ScoreVisibility
    private: PrivateScore | None = None
    is_organizer: bool = False
    position: int | None = None
    is_as_accepted: bool = False
    charged: bool = True
    """True while it counts against the team's limits."""

    runs: Mapping[bool, Run] = field(default_factory=dict)
    """The runs of the judging by whether they are private, where anything of them is shown."""

    waits: bool = False
    """True while the team's files stay in the queue, because the metric failed with the last ones;
    participants know that by `notice`."""

    @property
    def submission(self) -> Submission:
        """The file with what was sent along."""
        return self.found.submission

    @property
    def judging(self) -> Judging:
        """The effective judging, whose verdict counts."""
        return self.found.judging

    @property
    def team(self) -> Team:
        """The team that sent it, or took that one in."""
        return self.found.team

    @property
    def submitted_by(self) -> User:
        """The person who sent it."""
        return self.found.submitted_by

    @property
    def competition(self) -> str:
        """The slug of the competition."""
        return self.found.competition.slug

    @property
    def status(self) -> State:
        """The state of the judging."""
        return State(self.judging.state)

    @property
    def selected(self) -> bool:
        """True if the team chose it as one of its finals."""
        return self.submission.is_selected and not self.is_as_accepted

    @property
    def disqualified(self) -> DisqualificationRecord | None:
        """Since when it does not count, and why."""
        return None if self.is_as_accepted else self.submission.disqualified

    @property
    def late(self) -> bool:
        """True if it was sent after the close."""
        return self.submission.is_late

    @property
    def queue_position(self) -> int | None:
        """The place of the judging among those that wait."""
        return self.position if self.status is State.QUEUED and not self.waits else None

    @property
    def progress(self) -> float | None:
        """The share of the judging that is done, in steps; None when it has ended."""
        if self.status.is_final:
            return None
        if self.status is State.QUEUED:
            return 0.0
        return min(1.0, math.floor(self.runs[False].progress * PROGRESS_STEPS) / PROGRESS_STEPS)

    @property
    def problem(self) -> dict[str, Any] | None:
        """The reason why the file was rejected."""
        return self.judging.problem if self.status is State.REJECTED else None

    @property
    def failure(self) -> str | None:
        """The reason why we failed, for organizers."""
        return self.judging.failure if self.is_organizer else None

    @property
    def is_failure_of_metric(self) -> bool:
        """True if it was the custom metric that failed."""
        code = (self.judging.problem or {}).get("code")
        return self.status is State.FAILED and code == METRIC_FAILED

    @property
    def private_run(self) -> str | None:
        """The state of a private score that is missing, for organizers."""
        private = self.runs.get(True)
        if private is None or not self.is_organizer or private.state == WorkState.DONE:
            return None
        return "failed" if private.state == WorkState.FAILED else "pending"

    @property
    def metric_notes(self) -> dict[str, Any] | None:
        """The metric's own words, for organizers."""
        notes = {
            "private" if is_private else "public": self.runs[is_private].note
            for is_private in sorted(self.runs)
        }
        notes = {split: note for split, note in notes.items() if note is not None}
        return {"processor": self.processor} | notes if notes and self.is_organizer else None

    @property
    def processor(self) -> str | None:
        """The processor and packages that a custom metric ran on."""
        run = self.runs.get(False)
        return (run.note or {}).get("processor") if run else None

    @property
    def counts(self) -> dict[str, int | str] | None:
        """The counts of the file, and its form in words."""
        counts = self.judging.counts
        if not counts:
            return None
        numbers = {name: int(counts.get(name, 0)) for name in COUNTED}
        return {**numbers, "form": str(counts.get("form", ""))}

    @property
    def lists(self) -> dict[str, Any] | None:
        """Statistics of the lists; None for rated pairs, and verdicts that are older than these."""
        counts = self.judging.counts
        return counts.get("lists") if counts and self.status is State.SCORED else None

    @property
    def public(self) -> PublicScore | None:
        """The public half of the verdict, if it is one with scores."""
        return self.found.public if self.status is State.SCORED else None

    @property
    def public_score(self) -> float | None:
        """The public score, to those who may see it."""
        if self.public is None or not self.visibility.public_score:
            return None
        return float(shown_score(self.public.score, self.settings))

    @property
    def private_score(self) -> float | None:
        """The private score, to those who may see it."""
        if self.private is None:
            return None
        return float(shown_score(self.private.score, self.settings))

    @property
    def objectives(self) -> Objectives | None:
        """The scores of the objectives, to those who may see them."""
        public = self.found.public
        if public is None or not self.visibility.public_objectives:
            return None
        hidden = self._hidden.objectives if self._hidden else {}
        return self._by_split(
            {name: one["value"] for name, one in public.objectives.items()},
            {name: one["value"] for name, one in hidden.items()},
        )

    @property
    def diagnostics(self) -> Objectives | None:
        """All of them for those who see `objectives`, and those of the board for those who see the
        score; weighted as the score."""
        public, shown = self.found.public, self._diagnostics("public")
        is_stored = public is not None and public.diagnostics is not None
        if not shown and not (is_stored and self.visibility.public_objectives):
            return None
        return self._by_split(shown, self._diagnostics("private"))

    def diagnostic(self, metric: str, split: Board) -> Decimal | None:
        """A diagnostic on one split with all its digits, to those who may see it."""
        exact = self._diagnostics(split).get(metric)
        return None if exact is None else self._digits(exact)

    @property
    def standard_error(self) -> BySplit | None:
        """Standard errors, for viewers who may see the private score: they tell more of the ground
        truth than a rounded score does."""
        public, private = self.found.public, self.private
        if public is None or private is None or not self.visibility.private_score:
            return None
        return {"public": public.standard_error, "private": private.standard_error}

    @property
    def diagnostic_errors(self) -> Objectives | None:
        """Those of diagnostics, only beside the diagnostics."""
        public, private = self.found.public, self.private
        if public is None or private is None or not self.visibility.private_objectives:
            return None
        both = {
            "public": public.diagnostic_errors or {},
            "private": private.diagnostic_errors or {},
        }
        return {
            metric: {split: errors.get(metric) for split, errors in both.items()}
            for metric in public.diagnostics or {}
        }

    @property
    def shown(self) -> bool | None:
        """The decision of a ladder, for those who may know it; None on an exact board."""
        if self.visibility.is_held_back:
            return False
        is_scored = self.status is State.SCORED and self.visibility.public_score
        return True if self.settings.board == "ladder" and is_scored else None

    @property
    def notice(self) -> str | None:
        """The reason why a score is hidden: a freeze, or a ladder that holds it back; or why there
        is none yet."""
        if self.waits:
            return WAITS
        if self.visibility.is_frozen and self.status is State.SCORED:
            return FROZEN
        return NO_IMPROVEMENT if self.visibility.is_held_back else None

    @property
    def hits(self) -> dict[str, Mapping[str, ObjectiveFigures | None]] | None:
        """The integers per objective and split, for organizers."""
        return _hits(self.public, self.private) if self.is_organizer and self.public else None

    @property
    def notes(self) -> dict[str, Notes] | None:
        """Counts that help to read diagnostics, for organizers."""
        return _notes(self.public, self.private) if self.is_organizer and self.public else None

    @property
    def _hidden(self) -> PrivateScore | None:
        """The private half to those who may see its objectives."""
        return self.private if self.visibility.private_objectives else None

    def _diagnostics(self, split: Board) -> dict[str, str]:
        """The exact diagnostics on a split that the viewer may see."""
        visible = self.visibility
        half, has_all, has_score = {
            "public": (self.found.public, visible.public_objectives, visible.public_score),
            "private": (self.private, visible.private_objectives, visible.private_score),
        }[split]
        known = (half.diagnostics if half is not None else None) or {}
        beside = self.settings.board_diagnostics if has_score else ()
        return {name: one["score"] for name, one in known.items() if has_all or name in beside}

    def _by_split(self, public: Mapping[str, str], private: Mapping[str, str]) -> Objectives:
        return {
            name: {
                "public": float(self._digits(value)),
                "private": float(self._digits(private[name])) if name in private else None,
            }
            for name, value in public.items()
        }

    def _digits(self, exact: str) -> Decimal:
        decimals = self.settings.decimals
        return shown_number(shown_units(Fraction(exact), decimals), decimals, of_errors=False)


def present(
    session: Session, found: Sequence[Found], *, is_organizer: bool
) -> list[SubmissionView]:
    """Shows submissions to one of their team, or to an organizer, in a fixed number of queries."""
    positions: dict[str, int] = {}
    held: set[str] = set()
    if any(row.judging.state == State.QUEUED for row in found):
        # Files of teams that wait for the organizers are overtaken by all others.
        held = waiting_teams(session)
        queued = submissions.waiting_judgings(session, without=held)
        positions = {judging_id: place for place, judging_id in enumerate(queued, start=1)}
    settings = {row.competition.id: settings_of(row.competition) for row in found}
    visibilities = {
        row.submission.id: _visibility(row, settings[row.competition.id], is_organizer)
        for row in found
    }
    visible = [row.judging.id for row in found if visibilities[row.submission.id].private_score]
    private = submissions.private_scores_of(session, judging_ids=visible) if visible else {}
    charged = quota.charged(session, submission_ids=[row.submission.id for row in found])
    with_runs = [row.judging.id for row in found if is_organizer or _tells_of_runs(row.judging)]
    runs = submissions.runs_of(session, judging_ids=with_runs) if with_runs else {}
    return [
        SubmissionView(
            row,
            settings[row.competition.id],
            visibilities[row.submission.id],
            private=private.get(row.judging.id),
            is_organizer=is_organizer,
            position=positions.get(row.judging.id),
            charged=row.submission.id in charged,
            runs=runs.get(row.judging.id, {}),
            waits=row.judging.state == State.QUEUED and row.submission.team_id in held,
        )
        for row in found
    ]


def present_accepted(session: Session, *, submission_id: str) -> SubmissionView:
    """A submission as it was at the moment of its acceptance, whatever became of it since: so that
    a repeated request gets the first answer again."""
    found = submissions.find(session, submission_id=submission_id)
    if found is None:
        raise NotFound("The submission is gone.")
    unjudged = Judging(state=State.QUEUED, ground_truth_version=found.judging.ground_truth_version)
    nothing = ScoreVisibility(False, False, False, False)
    return SubmissionView(
        replace(found, judging=unjudged, public=None),
        settings_of(found.competition),
        nothing,
        is_as_accepted=True,
    )


def _tells_of_runs(judging: Judging) -> bool:
    return judging.state == State.RUNNING or judging.metric_version is not None


def _visibility(row: Found, settings: CompetitionSettings, is_organizer: bool) -> ScoreVisibility:
    return visibility_of(
        is_organizer=is_organizer,
        submitted_at=row.submission.submitted_at,
        frozen_at=row.competition.frozen_at,
        revealed_at=row.competition.revealed_at,
        objective_scores=settings.objective_scores,
        is_held_back=row.submission.is_held_back,
    )


def _hits(
    public: PublicScore, private: PrivateScore | None
) -> dict[str, Mapping[str, ObjectiveFigures | None]]:
    hidden = private.objectives if private is not None else {}
    return {
        name: {"public": one, "private": hidden.get(name)}
        for name, one in public.objectives.items()
    }


def _notes(public: PublicScore, private: PrivateScore | None) -> dict[str, Notes]:
    hidden = (private.diagnostics if private is not None else None) or {}
    beside = {metric: one.get("notes") for metric, one in hidden.items()}
    return {
        metric: {"public": notes, "private": beside.get(metric)}
        for metric, one in (public.diagnostics or {}).items()
        if (notes := one.get("notes"))
    }
