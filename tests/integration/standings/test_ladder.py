"""Decisions of a ladder: against what, once, and what becomes of them."""

from __future__ import annotations

from typing import Any

import pytest

from podium.competitions.service import competitions
from podium.core.competition_settings import CompetitionSettings
from podium.core.database.engine import Database, WriteSession
from podium.core.models import Competition, Judging, PublicScore, Standing, Submission, Team
from podium.standings.service import ladder, standings
from podium.standings.service.ladder import BestHasChanged, LadderStep
from tests.builders.rows import START, add_competition, add_scored, add_team, add_user

LADDER = CompetitionSettings(board="ladder").model_dump(mode="json")


class Climb:
    """A ladder with one team; scores come without a worker."""

    def __init__(self, session: WriteSession, **members: Any) -> None:
        self.session = session
        self.competition = add_competition(session, settings=LADDER, **members)
        self.team, _ = add_team(session, self.competition)

    def scored(self, public: str, *, error: float | None = 0.1, **members: Any) -> str:
        """A scored submission on which nothing was decided: its id."""
        submission_id = add_scored(self.session, self.team, public=public, **members)
        judging = self.judging(submission_id)
        judging.hits_sha256 = "hits"
        self.session.get_one(PublicScore, judging.id).standard_error = error
        self.session.flush()
        return submission_id

    def judging(self, submission_id: str) -> Judging:
        query = self.session.query(Judging).filter_by(submission_id=submission_id)
        return query.one()

    def decide(self, submission_id: str, best: str | None, error: float | None = 0.1) -> bool:
        """Decides after a comparison with `best`; answers whether the score is held back."""
        step = None if best is None else LadderStep(self.judging(best).id, error)
        ladder.decide(self.session, judging=self.judging(submission_id), step=step)
        return self.is_held_back(submission_id)

    def is_held_back(self, submission_id: str) -> bool:
        self.session.expire_all()
        return self.session.query(Submission).filter_by(id=submission_id).one().is_held_back

    def shown(self) -> str | None:
        """With what the team stands."""
        self.session.expire_all()
        row = self.session.get(Standing, (self.competition.id, "public", self.team.id))
        return row.submission_id if row else None


def test_the_first_score_is_shown_and_others_must_be_better_by_more(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.5")
        assert not climb.decide(first, None)
        assert climb.decide(climb.scored("0.55"), first)
        better = climb.scored("0.67")
        assert not climb.decide(better, first)
        assert climb.decide(climb.scored("0.7"), better)


def test_a_comparison_with_what_is_not_the_best_any_more_is_refused(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.5")
        better = climb.scored("0.8")
        late = climb.scored("0.7")
        for best in (first, None):
            with pytest.raises(BestHasChanged):
                climb.decide(late, best)
        assert climb.decide(late, better)


def test_an_unknown_error_shows_nothing(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.1")
        assert climb.decide(climb.scored("0.9"), first, None)


def test_without_hits_both_errors_together_decide(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.5")
        climb.judging(first).hits_sha256 = None
        session.flush()
        assert climb.decide(climb.scored("0.69"), None)
        assert not climb.decide(climb.scored("0.82"), None)


def test_what_is_held_back_or_disqualified_is_no_best(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.5")
        held = climb.scored("0.55")
        assert climb.decide(held, first)
        gone = climb.scored("0.9")
        session.query(Submission).filter_by(id=gone).one().disqualified_at = START
        session.flush()
        assert not climb.decide(climb.scored("0.69"), first)


def test_a_team_stands_with_its_best_shown_score(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.5")
        held = climb.scored("0.55")
        assert climb.shown() == held
        climb.decide(held, first)
        standings.refresh(session, competition_id=climb.competition.id, team_id=climb.team.id)
        assert climb.shown() == first


def test_scores_without_a_verdict_of_their_own_are_decided_in_their_order(
    database: Database,
) -> None:
    with database.write() as session:
        climb = Climb(session)
        ids = [climb.scored(score, error=0.01) for score in ("0.5", "0.51", "0.6", "0.59", "0.7")]
        ladder.decide_by_errors(session, competition=climb.competition, submission_ids=ids)
        assert [climb.is_held_back(one) for one in ids] == [False, True, False, True, False]
        ladder.decide_by_errors(session, competition=climb.competition, submission_ids=ids)
        assert [climb.is_held_back(one) for one in ids] == [False, True, False, True, False]


def change(session: WriteSession, board: str) -> None:
    actor = add_user(session, is_administrator=True)
    competitions.change_competition(
        session, actor=actor, slug="otto", changes={"board": board}, expected_versions=None
    )


def test_to_and_fro_shows_what_was_once_seen(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        first = climb.scored("0.5")
        held = climb.scored("0.55")
        climb.decide(held, first)
        change(session, "exact")
        assert (climb.is_held_back(held), climb.shown()) == (False, held)
        change(session, "ladder")
        assert (climb.is_held_back(held), climb.shown()) == (False, held)


def test_what_came_after_a_freeze_was_never_seen(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        climb.scored("0.5", error=0.01)
        change(session, "exact")
        frozen = session.get_one(Competition, climb.competition.id)
        frozen.frozen_at = START.replace(hour=1)
        later = [climb.scored(s, error=0.01, minute=90) for s in ("0.51", "0.6")]
        change(session, "ladder")
        assert [climb.is_held_back(one) for one in later] == [True, False]


def test_nothing_is_held_back_after_the_reveal_or_on_an_exact_board(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        climb.scored("0.5")
        climb.competition.revealed_at = climb.competition.closed_at = START
        session.flush()
        assert not climb.decide(climb.scored("0.4"), None)
        climb.competition.revealed_at = None
        climb.competition.settings = CompetitionSettings().model_dump(mode="json")
        session.flush()
        assert not climb.decide(climb.scored("0.4"), None)


def test_teams_do_not_stand_in_each_others_way(database: Database) -> None:
    with database.write() as session:
        climb = Climb(session)
        climb.scored("0.9")
        other: Team = add_team(session, climb.competition)[0]
        climb.team = other
        assert not climb.decide(climb.scored("0.1"), None)
