"""A board that is a ladder: the decision to show or withhold a team's new score.

It is made once, in the transaction of the verdict, against the best score that the team has been
shown by then; a comparison is computed for every file, better or worse, so that neither an answer
nor its time reveals a withheld score. What was once shown stays shown: a rejudging changes the
scores, not their visibility, because a new decision would reveal more about withheld files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from podium.core import locks, lookups
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession
from podium.core.models import Competition, Judging, PublicScore, Submission
from podium.standings import queries
from podium.standings.queries import ScoredSubmission
from podium.standings.rules import is_step_up, widest_error


@dataclass(frozen=True, slots=True)
class LadderStep:
    """The submission that a judging was compared with, and the standard error of that
    difference."""

    judging_id: str
    standard_error: float | None


class BestHasChanged(Exception):
    """The team's best shown submission is not the one that was compared; compare again."""


def best_to_compare(session: Session, *, judging_id: str) -> ScoredSubmission | None:
    """Finds the score with which a running judging has to be compared; None on an exact board, in a
    rejudging, for a team's first score, and where its hits were removed."""
    judging = session.get_one(Judging, judging_id)
    competition = session.get_one(Competition, judging.competition_id)
    if judging.rejudging_id is not None or not _holds_back(competition):
        return None
    best = _best(session, judging.submission_id)
    return best if best is not None and _is_comparable(best, judging) else None


def decide(session: WriteSession, *, judging: Judging, step: LadderStep | None) -> None:
    """Decides whether the new score is withheld. Raises `BestHasChanged`."""
    if judging.rejudging_id is not None:
        return
    competition = locks.lock_board(session, competition_id=judging.competition_id)
    if not _holds_back(competition):
        return
    best = _best(session, judging.submission_id)
    if best is None:
        return
    if not _is_comparable(best, judging):
        _decide_by_errors(session, judging, best)
    elif step is None or step.judging_id != best.judging_id:
        raise BestHasChanged
    else:
        _hold_back_unless_better(session, judging, best, step.standard_error)


def decide_by_errors(
    session: WriteSession, *, competition: Competition, submission_ids: Sequence[str]
) -> None:
    """Decides, in this order, about submissions that were scored without a verdict's comparison:
    they must be better by the sum of both standard errors, which is never less than that of the
    difference."""
    if not _holds_back(competition):
        return
    # Each is compared with those that were decided before it, and not with later ones.
    queries.hold_back(session, submission_ids=submission_ids)
    for submission_id in submission_ids:
        submission = lookups.submission_of(session, submission_id=submission_id)
        session.refresh(submission)
        submission.is_held_back = False
        session.flush()
        best = _best(session, submission_id)
        if best is not None:
            judging = session.get_one(Judging, submission.judging_id)
            _decide_by_errors(session, judging, best)


def change_board(session: WriteSession, *, competition: Competition) -> None:
    """Updates the visibility of scores after a change of `board`. Scores of an exact board were all
    seen and stay visible; only those from after a freeze were not, and are decided about now."""
    locks.lock_board(session, competition_id=competition.id)
    queries.show_everything(session, competition_id=competition.id)
    if competition.frozen_at is not None:
        unseen = queries.scored_since(
            session, competition_id=competition.id, since=competition.frozen_at
        )
        decide_by_errors(session, competition=competition, submission_ids=unseen)


def _holds_back(competition: Competition) -> bool:
    return settings_of(competition).board == "ladder" and competition.revealed_at is None


def _best(session: Session, submission_id: str) -> ScoredSubmission | None:
    submission = lookups.submission_of(session, submission_id=submission_id)
    # A verdict may have waited while its team was merged into another one.
    team = lookups.surviving_team(session, team_id=submission.team_id)
    return queries.best_shown(session, team_id=team.id, besides=submission_id)


def _is_comparable(best: ScoredSubmission, judging: Judging) -> bool:
    return (
        best.hits_sha256 is not None and best.ground_truth_version == judging.ground_truth_version
    )


def _decide_by_errors(session: WriteSession, judging: Judging, best: ScoredSubmission) -> None:
    its_own = session.get_one(PublicScore, judging.id).standard_error
    error = widest_error(its_own, best.standard_error)
    _hold_back_unless_better(session, judging, best, error)


def _hold_back_unless_better(
    session: WriteSession, judging: Judging, best: ScoredSubmission, error: float | None
) -> None:
    score: Fraction = session.get_one(PublicScore, judging.id).score
    submission: Submission = lookups.submission_of(session, submission_id=judging.submission_id)
    team = lookups.surviving_team(session, team_id=submission.team_id)
    before = queries.count_scored(session, team_id=team.id, besides=submission.id)
    submission.is_held_back = not is_step_up(score, best.score, error, before=before)
    session.flush()
