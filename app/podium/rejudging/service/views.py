"""Views of a rejudging for organizers: its progress, and what it would change or has changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.competition_settings import with_changes
from podium.core.configuration import is_of_errors, settings_of
from podium.core.judging_states import RejudgingState, State
from podium.core.models import Competition, Rejudging, Team
from podium.rejudging import rules as rejudging_rules
from podium.rejudging.queries import rejudgings, results
from podium.rejudging.queries.results import ChangeDocument, ScorePair, SideDocument, VerdictPair
from podium.rejudging.rules import Place, Rules, Scored, TeamChange
from podium.standings import rules as standing_rules
from podium.standings.rules import BoardEntry, shown_number

MAX_WITHOUT_SCORE = 100
"""Submissions that would lose their score: at most so many are listed, all are counted."""


@dataclass(frozen=True, slots=True)
class Count:
    """The ended judgings of a rejudging, and all of them as far as is known now."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class LostScore:
    """A submission that has a score, or waits for its first one, and would get none."""

    submission_id: str
    team_id: str
    team_name: str
    status: str
    code: str | None


@dataclass(frozen=True, slots=True)
class RejudgingView:
    """A rejudging as organizers see it.

    `changes` and the members below it are empty until everything is judged, and again after a
    cancellation. `deterministic` is None if nothing was judged twice.
    """

    rejudging: Rejudging
    slug: str
    status: RejudgingState
    count: Count
    deterministic: bool | None
    changed_teams: int | None
    changes: Sequence[ChangeDocument]
    lost_scores: Sequence[LostScore]
    lost_count: int


@dataclass(frozen=True, slots=True)
class RejudgingOutcome:
    """The effect that applying a rejudging would have."""

    changes: Sequence[TeamChange]
    lost: Sequence[VerdictPair]
    decimals: int
    of_errors: bool
    names: dict[str, str]
    unranked: Collection[str]

    @property
    def changed_teams(self) -> int:
        """Counts the teams that change, without baselines and other teams that have no rank."""
        changed = (change.team_id for change in self.changes if change.is_change)
        return sum(team_id not in self.unranked for team_id in changed)


def count_of(session: Session, row: Rejudging) -> Count:
    """Counts the judgings of a rejudging. Submissions that arrive meanwhile are included at
    once."""
    states = rejudgings.judgings_by_state(session, rejudging_id=row.id)
    total = sum(states.values())
    if not row.is_partial and row.state == RejudgingState.RUNNING:
        total += row.times * rejudgings.how_many_to_judge(
            session, competition_id=row.competition_id, after=row.fed_until
        )
    return Count(sum(n for state, n in states.items() if state.is_final), total)


def status_of(row: Rejudging, count: Count) -> RejudgingState:
    """Returns the status of a rejudging: `ready` if it runs and has nothing left to judge."""
    if row.state == RejudgingState.RUNNING and count.done == count.total:
        return RejudgingState.READY
    return RejudgingState(row.state)


def is_deterministic(session: Session, row: Rejudging, status: RejudgingState) -> bool | None:
    """True if all repeats of every submission gave identical scores; None before that is known."""
    if row.times == 1 or status in (RejudgingState.RUNNING, RejudgingState.CANCELLED):
        return None
    return results.differing_repeats(session, rejudging_id=row.id) == 0


def summary(session: Session, *, row: Rejudging, competition: Competition) -> RejudgingView:
    """Returns a rejudging without its teams, for lists."""
    count = count_of(session, row)
    return RejudgingView(row, competition.slug, status_of(row, count), count, None, None, [], [], 0)


def present(
    session: Session, *, row: Rejudging, competition: Competition, offset: int, limit: int
) -> RejudgingView:
    """Returns a rejudging with at most `limit` teams from `offset` on."""
    count = count_of(session, row)
    status = status_of(row, count)
    changes: Sequence[ChangeDocument] = []
    lost: list[LostScore] = []
    lost_count, changed = 0, None
    if status is RejudgingState.APPLIED:
        stored = results.changes(session, rejudging_id=row.id)
        changes = stored[offset : offset + limit]
        unranked = _unranked(lookups.teams_of(session, competition_id=competition.id))
        moved = (change["team"]["id"] for change in stored if change["old"] != change["new"])
        changed = sum(team_id not in unranked for team_id in moved)
    elif status is RejudgingState.READY:
        outcome = outcome_of(session, row=row, competition=competition)
        shown = outcome.changes[offset : offset + limit]
        changes = [document_of(change, outcome) for change in shown]
        lost = [_lost(pair, outcome) for pair in outcome.lost[:MAX_WITHOUT_SCORE]]
        lost_count = len(outcome.lost)
        changed = outcome.changed_teams
    return RejudgingView(
        rejudging=row,
        slug=competition.slug,
        status=status,
        count=count,
        deterministic=is_deterministic(session, row, status),
        changed_teams=changed,
        changes=changes,
        lost_scores=lost,
        lost_count=lost_count,
    )


def outcome_of(session: Session, *, row: Rejudging, competition: Competition) -> RejudgingOutcome:
    """Compares the boards before and after applying, both without any freeze."""
    pairs = results.pairs(session, competition_id=competition.id, rejudging_id=row.id)
    teams = lookups.teams_of(session, competition_id=competition.id)
    unranked = _unranked(teams)
    settings = with_changes(settings_of(competition), row.settings or {})
    rules = Rules(
        decimals=settings.decimals,
        final_selections=settings.final_selections,
        chosen=lookups.chosen_finals(session, competition_id=competition.id),
        ranked=teams.keys() - unranked,
        is_revealed=competition.revealed_at is not None,
    )
    old = rejudging_rules.places([_scored(pair, pair.old) for pair in pairs if pair.old], rules)
    new = rejudging_rules.places(
        [_scored(pair, new) for pair in pairs if (new := _scores_after(pair))], rules
    )
    return RejudgingOutcome(
        changes=rejudging_rules.changes(old, new),
        lost=[pair for pair in pairs if pair.new_state is not None and _is_lost(pair)],
        decimals=settings.decimals,
        of_errors=is_of_errors(settings),
        names={team.id: team.name for team in teams.values()},
        unranked=unranked,
    )


def document_of(change: TeamChange, outcome: RejudgingOutcome) -> ChangeDocument:
    """Returns a team's row as JSON values. The submission is the one it will be ranked by."""
    standing = change.new or change.old
    return {
        "team": {"id": change.team_id, "name": outcome.names[change.team_id]},
        "submission_id": standing.submission_id if standing else None,
        "old": _place(change.old, outcome),
        "new": _place(change.new, outcome),
    }


def _place(place: Place | None, outcome: RejudgingOutcome) -> SideDocument:
    if place is None:
        return SideDocument(
            submission_id=None, public=None, private=None, rank=None, private_rank=None
        )
    return {
        "submission_id": place.submission_id,
        "public": _number(place.public, outcome),
        "private": None if place.private is None else _number(place.private, outcome),
        "rank": place.rank,
        "private_rank": place.private_rank,
    }


def _number(units: int, outcome: RejudgingOutcome) -> float:
    return float(shown_number(units, outcome.decimals, of_errors=outcome.of_errors))


def _scored(pair: VerdictPair, scores: ScorePair) -> Scored:
    public, private = scores
    entry = BoardEntry(
        pair.submission_id,
        pair.team_id,
        public,
        pair.submitted_at,
        pair.sequence,
        is_shown=not pair.is_held_back,
    )
    return Scored(entry, private)


def _scores_after(pair: VerdictPair) -> ScorePair | None:
    return pair.old if pair.new_state is None else pair.new


def _is_lost(pair: VerdictPair) -> bool:
    return pair.new_state is not State.SCORED and pair.old_state not in (
        State.FAILED,
        State.REJECTED,
    )


def _lost(pair: VerdictPair, outcome: RejudgingOutcome) -> LostScore:
    return LostScore(
        submission_id=pair.submission_id,
        team_id=pair.team_id,
        team_name=outcome.names[pair.team_id],
        status=str(pair.new_state),
        code=(pair.new_problem or {}).get("code"),
    )


def _unranked(teams: Mapping[str, Team]) -> set[str]:
    return {
        team.id
        for team in teams.values()
        if not standing_rules.is_ranked(team.tags, is_disqualified=team.disqualified_at is not None)
    }
