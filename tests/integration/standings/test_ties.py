"""Ties on final boards from numbers alone, and late findings, which change nothing else."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update

from podium.boards.queries import ties as tie_queries
from podium.boards.service import ties
from podium.boards.service.stored_hits import StoredHits
from podium.boards.service.ties import Portion
from podium.core.database.engine import Database, WriteSession
from podium.core.models import Competition, Judging, PrivateScore, PublicScore, Standing, Submission
from podium.scoring.task import OTTO
from podium.standings.service import standings
from tests.builders.rows import START, add_competition, add_scored, add_team, private_run_of


def revealed(session: WriteSession, scores: dict[str, tuple[str, float | None]]) -> Competition:
    """A revealed competition with a team for each name, private score and standard error."""
    competition = add_competition(session)
    for name, (score, error) in scores.items():
        team, _ = add_team(session, competition, name)
        submission_id = add_scored(session, team, public=score, private=score)
        of_it = select(Submission.judging_id).where(Submission.id == submission_id)
        for table in (PublicScore, PrivateScore):
            session.execute(
                update(table)
                .where(table.judging_id == of_it.scalar_subquery())
                .values(standard_error=error)
            )
        session.execute(
            update(Judging)
            .where(Judging.submission_id == submission_id)
            .values(hits_sha256=f"hits of {name}")
        )
    competition.closed_at = competition.revealed_at = START
    standings.write_private_board(session, competition=competition)
    return competition


def tied(session: WriteSession, competition: Competition) -> dict[str, Any]:
    """The ties on the private board, by the hits of each row."""
    session.expire_all()
    return {
        str(row.hits_sha256).removeprefix("hits of "): row.is_tied
        for row in tie_queries.final_rows(session, competition_id=competition.id, board="private")
    }


SCORES: dict[str, tuple[str, float | None]] = {
    "first": ("0.5", 0.01),
    "close": ("0.47", 0.01),
    "at the edge": ("0.461", 0.01),
    "far": ("0.46", 0.01),
    "without error": ("0.4", None),
}


def test_a_team_further_away_than_both_errors_is_not_tied(database: Database) -> None:
    with database.write() as session:
        competition = revealed(session, SCORES)
    with database.read() as reading:
        assert ties.has_clear_cases(reading)
    with database.write() as session:
        ties.settle_clear_cases(session)
        assert tied(session, competition) == {
            "first": True,
            "close": None,
            "at the edge": None,
            "far": False,
            "without error": None,
        }
    with database.read() as reading:
        assert not ties.has_clear_cases(reading)


def test_the_same_hits_are_tied_without_a_look(database: Database) -> None:
    with database.write() as session:
        revealed(session, {"first": ("0.5", 0.01), "twin": ("0.5", 0.01)})
        session.execute(update(Judging).values(hits_sha256="hits of both"))
        ties.settle_clear_cases(session)
        rows = session.scalars(select(Standing).where(Standing.board == "private"))
        assert [row.is_tied for row in rows] == [True, True]


def test_settling_gives_the_board_a_new_version(database: Database) -> None:
    with database.write() as session:
        competition = revealed(session, SCORES)
        before = competition.board_version
        ties.settle_clear_cases(session)
        session.refresh(competition)
        after = competition.board_version
        ties.settle_clear_cases(session)
        session.refresh(competition)
    assert before < after == competition.board_version


def portion_of(session: WriteSession, competition: Competition) -> Portion:
    first, *others = tie_queries.final_rows(session, competition_id=competition.id, board="private")
    close = tuple(row for row in others if row.is_tied is None and row.standard_error is not None)
    stored = StoredHits(("a", "b"), 1, "truth", "ids", OTTO)
    state = (competition.id, "private", competition.board_version)
    return Portion(state, competition.id, "private", first, close, stored)


def test_what_a_child_found_is_written_down(database: Database) -> None:
    with database.write() as session:
        competition = revealed(session, SCORES)
        ties.settle_clear_cases(session)
        portion = portion_of(session, competition)
        assert len(portion.others) == 2
        ties.record(session, portion=portion, ties=[True, False])
        found = tied(session, competition)
        assert (found["close"], found["at the edge"]) == (True, False)
        assert found["without error"] is None


def test_findings_against_a_team_that_is_no_longer_first_are_forgotten(
    database: Database,
) -> None:
    with database.write() as session:
        competition = revealed(session, SCORES)
        ties.settle_clear_cases(session)
        portion = portion_of(session, competition)
        session.execute(
            update(Submission)
            .where(Submission.id == portion.first.submission_id)
            .values(disqualified_at=START)
        )
        standings.recompute_public_board(session, competition=competition)
        ties.record(session, portion=portion, ties=[True, True])
        assert set(tied(session, competition).values()) == {None}


def test_before_the_reveal_there_is_nothing_to_settle(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition, "Ada")
        add_scored(session, team, public="1/2")
        assert tie_queries.unsettled(session) == []
        row = session.scalars(select(Standing)).one()
        assert (row.standard_error, row.is_tied) == (None, None)


def test_the_file_of_a_private_run_is_that_of_a_final_board(database: Database) -> None:
    with database.write() as session:
        competition = revealed(session, {"first": ("0.5", 0.01), "second": ("0.4", 0.01)})
        judging = session.scalars(
            select(Judging).where(Judging.hits_sha256 == "hits of second")
        ).one()
        session.add(private_run_of(judging, state="done", hits_sha256="hits of both"))
        session.flush()
        assert tied(session, competition) == {"first": None, "both": None}
