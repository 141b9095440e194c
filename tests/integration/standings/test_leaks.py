"""The bits that teams have been told: with a verdict, and with every act that shows more."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest

from podium.competitions.service import competitions, phases
from podium.core.database.engine import Database, WriteSession
from podium.core.judging_states import State
from podium.core.models import GroundTruthVersion, Judging, PublicScore, Submission
from podium.standings.service import leaks
from tests.builders.rejudging import Stage
from tests.builders.rows import START, add_competition, add_scored, add_team, add_truth, add_user

FIVE, THREE, SEVEN = (math.log2(10**decimals + 1) for decimals in (5, 3, 7))


class Board:
    """A competition with one team, whose verdicts are recorded as the worker does."""

    def __init__(self, session: WriteSession, **settings: Any) -> None:
        self.session = session
        self.competition = add_competition(session, settings=settings)
        self.organizer = add_user(session, is_administrator=True)
        self.team, self.member = add_team(session, self.competition)

    def scored(self, public: str, *, content: str = "", minute: int = 0, **members: Any) -> str:
        """A submission with this verdict and perhaps these bytes: its id."""
        submission_id = add_scored(self.session, self.team, public=public, minute=minute, **members)
        submission = self.submission(submission_id)
        submission.sha256 = content or submission.sha256
        self.session.flush()
        leaks.record(self.session, judging=self.judging(submission_id))
        return submission_id

    def submission(self, submission_id: str) -> Submission:
        return self.session.query(Submission).filter_by(id=submission_id).one()

    def judging(self, submission_id: str) -> Judging:
        return self.session.get_one(Judging, self.submission(submission_id).judging_id)

    def change(self, **settings: Any) -> None:
        competitions.change_competition(
            self.session,
            actor=self.organizer,
            slug="otto",
            changes=settings,
            expected_versions=None,
        )

    def told(self) -> tuple[float, ...]:
        """The bits of each judging: of the score, and beside it."""
        self.session.expire_all()
        rows = self.session.query(Judging).join(Submission, Submission.id == Judging.submission_id)
        return tuple(
            (row.told_bits or 0) + (row.told_detail_bits or 0)
            for row in rows.order_by(Submission.sequence)
        )


def test_each_shown_score_tells_its_digits_and_the_same_file_nothing(database: Database) -> None:
    with database.write() as session:
        board = Board(session)
        board.scored("0.5", content="one")
        board.scored("0.5", content="two")
        board.scored("0.5", content="one")
        assert board.told() == (FIVE, FIVE, 0)
        total = leaks.bits_of_team(
            session, competition_id=board.competition.id, team_id=board.team.id
        )
        assert total == math.ceil(2 * FIVE) == 34


def test_the_counts_of_the_ground_truth_bound_it(database: Database) -> None:
    with database.write() as session:
        board = Board(session, objective_scores="always")
        add_truth(session, board.competition)
        (truth,) = session.query(GroundTruthVersion)
        truth.summary = {
            "objectives": {
                name: {"public": {"queries": 3, "labels": 3, "denominator": 3}}
                for name in ("clicks", "carts", "orders")
            }
        }
        board.scored("0.5")
        # Four counts of three objectives are all that there is, and the score is made of them.
        assert board.told() == (6,)
        assert leaks.public_rows(session, competition=board.competition) == 9


def test_a_ladder_tells_a_bit_where_it_shows_nothing(database: Database) -> None:
    with database.write() as session:
        board = Board(session, board="ladder")
        board.scored("0.5", content="one")
        held = add_scored(session, board.team, public="0.5001")
        board.submission(held).is_held_back = True
        session.flush()
        leaks.record(session, judging=board.judging(held))
        assert board.told() == (1 + FIVE, 1)
        board.change(board="exact")
        assert board.told() == (1 + FIVE, FIVE)


def test_scores_of_objectives_tell_their_own(database: Database) -> None:
    with database.write() as session:
        board = Board(session)
        board.scored("0.5")
        board.change(objective_scores="always")
        assert board.told() == pytest.approx((4 * FIVE,))
        board.change(objective_scores="organizers")
        assert board.told() == pytest.approx((4 * FIVE,))


def test_diagnostics_of_the_board_tell_their_own(database: Database) -> None:
    with database.write() as session:
        board = Board(session, diagnostics=["mrr@20", "mrr@5"])
        verdict = session.get_one(PublicScore, board.judging(board.scored("0.5")).id)
        verdict.diagnostics = {
            name: {"score": score, "objectives": {}}
            for name, score in (("mrr@20", "1/3"), ("mrr@5", "1/4"))
        }
        session.flush()
        assert board.told() == (FIVE,)
        board.change(board_diagnostics=["mrr@5"])
        assert board.told() == pytest.approx((2 * FIVE,))
        board.change(board_diagnostics=[])
        assert board.told() == pytest.approx((2 * FIVE,))


def test_decimals_that_are_changed_take_nothing_back_and_tell_what_is_new(
    database: Database,
) -> None:
    with database.write() as session:
        board = Board(session)
        board.scored("1/3", content="one")
        board.change(decimals=3)
        assert board.told() == (FIVE,)
        board.scored("2/3")
        board.scored("1/3", content="one")
        assert board.told() == (FIVE, THREE, 0)
        board.change(decimals=7)
        assert board.told() == pytest.approx((SEVEN, SEVEN, 0))


def test_a_freeze_tells_nothing_until_it_ends(database: Database) -> None:
    with database.write() as session:
        board = Board(session)
        board.scored("0.4")
        board.competition.frozen_at = START + timedelta(minutes=5)
        session.flush()
        board.scored("0.5", minute=10)
        assert board.told() == (FIVE, 0)
        phases.unfreeze(session, actor=board.organizer, slug="otto")
        assert board.told() == (FIVE, FIVE)


def test_nothing_is_counted_after_the_reveal(database: Database) -> None:
    with database.write() as session:
        board = Board(session)
        board.competition.closed_at = board.competition.revealed_at = START
        session.flush()
        add = add_scored(session, board.team, public="0.5")
        leaks.record(session, judging=board.judging(add))
        assert board.judging(add).told_bits is None


OWN = {
    "task": "table",
    "objectives": {"y": 1},
    "metric": {"name": "own", "k": None, "average": "macro"},
    "id_column": "id",
    "table_columns": [{"name": "y"}],
    "own_metric": {"version": 1},
}


@pytest.mark.parametrize(
    ("state", "problem", "bits"),
    [
        (State.REJECTED, {"code": "bad-label", "detail": "row 3"}, 0),
        (State.REJECTED, {"code": "metric-refused", "detail": "Too far."}, 2 + 8 * 9),
        (State.FAILED, {"code": "metric-failed"}, 2),
        (State.FAILED, None, 0),
        (State.CANCELLED, None, 0),
    ],
)
def test_a_refusal_tells_its_text_where_a_metric_wrote_it(
    database: Database, state: State, problem: dict[str, Any] | None, bits: float
) -> None:
    with database.write() as session:
        board = Board(session, **OWN)
        board.scored("0", state=state, problem=problem)
        assert board.told() == (bits,)


def test_an_own_metric_tells_how_it_ended_and_a_number_without_bounds(database: Database) -> None:
    with database.write() as session:
        board = Board(session, **OWN)
        board.scored("123/10")
        assert board.told() == pytest.approx((1 + 7 * math.log2(10) + 3 + 1,))


def test_a_rejudging_tells_again_where_a_shown_score_changes(database: Database) -> None:
    stage = Stage(database)
    same = stage.scored("Ada", "0.5")
    other = stage.scored("Ada", "0.6")

    def record(session: WriteSession) -> None:
        for submission_id in (same, other):
            judging = session.query(Judging).filter_by(submission_id=submission_id).one()
            leaks.record(session, judging=judging)

    stage.write(record)
    rejudging = stage.start()
    stage.feed(rejudging)
    stage.judge(rejudging, {same: ("0.500001", "0.1"), other: ("0.7", "0.1")})
    before = told(database, stage)
    stage.apply(rejudging)
    assert (before, told(database, stage)) == (math.ceil(2 * FIVE), math.ceil(3 * FIVE))


def told(database: Database, stage: Stage) -> int:
    with database.read() as session:
        return leaks.bits_of_team(
            session, competition_id=stage.competition_id, team_id=stage.teams["Ada"].id
        )


def test_what_two_merged_teams_were_told_adds_up(database: Database) -> None:
    with database.write() as session:
        board = Board(session)
        board.scored("0.5")
        other = board.team
        board.team, _ = add_team(session, board.competition)
        board.scored("0.6")
        session.query(Submission).update({"team_id": other.id})
        found = leaks.bits_by_team(session, competition_id=board.competition.id)
        assert found == {other.id: math.ceil(2 * FIVE)}
