"""Stored boards say what the submissions say, in the order that the rules demand."""

from __future__ import annotations

from datetime import timedelta

import pytest

from podium.boards.service import views
from podium.core.database.engine import Database, ReadSession, WriteSession, database_now
from podium.core.judging_states import State
from podium.core.models import Competition, Judging, PrivateScore, Submission
from podium.core.visibility import Board
from podium.errors import NotFound
from podium.standings.service import standings
from podium.teams.service import teams
from tests.builders.rows import START, add_competition, add_scored, add_team, add_user

Line = tuple[int | None, str, str]


def board(
    session: ReadSession | WriteSession, competition: Competition, split: Board = "public"
) -> list[Line]:
    rows = views.board_rows(session, competition=competition, board=split, limit=None, offset=0)
    return [(row.rank, row.team.name, str(row.score)) for row in rows]


def test_a_team_stands_with_its_best_submission(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        ada, _ = add_team(session, competition, "Ada")
        bob, _ = add_team(session, competition, "Bob")
        add_scored(session, ada, public="1/3", minute=1)
        best = add_scored(session, ada, public="2/3", minute=2)
        add_scored(session, ada, public="1/2", minute=3)
        add_scored(session, bob, public="0.6", minute=4)
        assert board(session, competition) == [(1, "Ada", "0.66667"), (2, "Bob", "0.60000")]
        (first, _) = views.board_rows(
            session, competition=competition, board="public", limit=None, offset=0
        )
    assert first.standing.submission_id == best
    assert first.standing.submissions == 3
    assert first.standing.submitted_at == START + timedelta(minutes=2)
    assert first.standing.last_submitted_at == START + timedelta(minutes=3)


def test_equal_shown_scores_go_to_the_earlier_submission(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        late, _ = add_team(session, competition, "Late")
        early, _ = add_team(session, competition, "Early")
        add_scored(session, late, public="0.571234", minute=2)
        add_scored(session, early, public="0.571233", minute=1)
        assert [name for _, name, _ in board(session, competition)] == ["Early", "Late"]


def test_of_a_teams_submissions_that_show_the_same_the_earlier_stands(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition, "Ada")
        early = add_scored(session, team, public="0.571233", minute=1)
        add_scored(session, team, public="0.571234", minute=2)
        (row,) = views.board_rows(
            session, competition=competition, board="public", limit=None, offset=0
        )
    assert row.standing.submission_id == early
    assert row.standing.submitted_at == START + timedelta(minutes=1)


def test_after_the_reveal_both_boards_show_the_finals_and_one_is_exact(
    database: Database,
) -> None:
    with database.write() as session:
        competition = add_competition(session, settings={"final_selections": 1})
        ada, _ = add_team(session, competition, "Ada")
        bob, _ = add_team(session, competition, "Bob")
        add_scored(session, ada, public="0.9", private="0.1", minute=1)
        chosen = add_scored(session, ada, public="0.2", private="0.5000002", minute=2)
        add_scored(session, bob, public="0.8", private="0.5000001", minute=0)
        add_scored(session, bob, public="0.1", private="0.9", minute=3)
        picked = session.query(Submission).filter_by(id=chosen).one()
        picked.is_selected = True
        standings.write_private_board(session, competition=competition)
        assert board(session, competition, "private") == [
            (1, "Ada", "0.50000"),
            (2, "Bob", "0.50000"),
        ]
        assert board(session, competition) == [(1, "Bob", "0.80000"), (2, "Ada", "0.20000")]


def test_unranked_teams_stand_at_their_score_and_take_no_rank(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        names = ("Baseline", "Ada", "Banned", "Bob", "Ghost")
        made = {name: add_team(session, competition, name)[0] for name in names}
        made["Baseline"].tags = ["baseline"]
        made["Ghost"].tags = ["hidden"]
        made["Banned"].disqualified_at = START
        for minute, (name, score) in enumerate(zip(names, "98765", strict=True)):
            add_scored(
                session, made[name], public=f"0.{score}", private=f"0.{score}", minute=minute
            )
        expected = [
            (None, "Baseline", "0.90000"),
            (1, "Ada", "0.80000"),
            (None, "Banned", "0.70000"),
            (2, "Bob", "0.60000"),
        ]
        assert board(session, competition) == expected
        standings.write_private_board(session, competition=competition)
        assert board(session, competition, "private") == expected


def test_pages_are_numbered_through(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        for place in range(5):
            team, _ = add_team(session, competition, f"Team {'abcde'[place]}")
            add_scored(session, team, public=f"0.{9 - place}", minute=place)
        rows = views.board_rows(session, competition=competition, board="public", limit=2, offset=2)
    assert [(row.rank, row.team.name) for row in rows] == [(3, "Team c"), (4, "Team d")]


def test_a_board_gets_a_new_version_only_when_it_changes(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition)
        add_scored(session, team, public="0.5")
        session.refresh(competition)
        version = competition.board_version
        standings.refresh(session, competition_id=competition.id, team_id=team.id)
        session.refresh(competition)
        assert competition.board_version == version
        add_scored(session, team, public="0.1", minute=1)
        session.refresh(competition)
        assert competition.board_version == version + 1


def test_rejected_and_disqualified_submissions_do_not_count(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition, "Ada")
        add_scored(session, team, public="0.1")
        gone = add_scored(session, team, public="0.9", minute=1)
        add_scored(session, team, public="0.8", minute=2, state=State.REJECTED)
        assert board(session, competition) == [(1, "Ada", "0.90000")]
        session.query(Submission).filter_by(id=gone).one().disqualified_at = START
        standings.refresh(session, competition_id=competition.id, team_id=team.id)
        assert board(session, competition) == [(1, "Ada", "0.10000")]
        session.query(Judging).update({"state": State.FAILED})
        standings.refresh(session, competition_id=competition.id, team_id=team.id)
        assert board(session, competition) == []


def test_other_decimals_change_what_is_shown_and_who_is_first(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        late, _ = add_team(session, competition, "Late")
        early, _ = add_team(session, competition, "Early")
        add_scored(session, late, public="0.5714", minute=2)
        add_scored(session, early, public="0.5713", minute=1)
        assert board(session, competition)[0] == (1, "Late", "0.57140")
        competition.settings = {"decimals": 3}
        standings.recompute_public_board(session, competition=competition)
        assert board(session, competition) == [(1, "Early", "0.571"), (2, "Late", "0.571")]


def test_a_frozen_board_stays_as_it_was_until_the_reveal(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition, "Ada")
        add_scored(session, team, public="0.5", private="0.4", minute=1)
        competition.frozen_at = START + timedelta(minutes=2)
        session.flush()
        add_scored(session, team, public="0.9", private="0.8", minute=2)
        assert board(session, competition) == [(1, "Ada", "0.50000")]
        competition.revealed_at = database_now(session)
        standings.write_private_board(session, competition=competition)
        assert board(session, competition) == [(1, "Ada", "0.90000")]
        assert board(session, competition, "private") == [(1, "Ada", "0.80000")]


def test_a_verdict_after_the_reveal_reaches_the_private_board(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition, "Ada")
        other, _ = add_team(session, competition, "Bob")
        add_scored(session, team, public="0.5", private="0.4", minute=1)
        competition.revealed_at = database_now(session)
        standings.write_private_board(session, competition=competition)
        add_scored(session, other, public="0.1", private="0.6", minute=2)
        assert board(session, competition, "private") == [
            (1, "Bob", "0.60000"),
            (2, "Ada", "0.40000"),
        ]


def test_there_is_no_private_board_before_the_reveal_even_for_organizers(
    database: Database,
) -> None:
    with database.write() as session:
        add_competition(session)
        organizer = add_user(session, is_administrator=True)
    for actor in (None, organizer):
        with database.read() as session, pytest.raises(NotFound):
            views.visible_board(session, slug="otto", actor=actor, board="private")


def test_a_team_that_an_organizer_joins_loses_its_rank_at_once(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, _ = add_team(session, competition, "Ada")
        add_scored(session, team, public="0.5")
        organizer = add_user(session, is_administrator=True)
        teams.join_team(session, slug="otto", actor=organizer, invite_code=team.invite_code)
        assert team.tags == ["organizer"]
        assert board(session, competition) == [(None, "Ada", "0.50000")]


def test_a_file_without_a_private_score_is_no_final_once_all_is_revealed(
    database: Database,
) -> None:
    with database.write() as session:
        competition = add_competition(session, settings={"final_selections": 1})
        ada, _ = add_team(session, competition, "Ada")
        bob, _ = add_team(session, competition, "Bob")
        chosen = add_scored(session, ada, public="0.9", minute=1)
        other = add_scored(session, ada, public="0.2", private="0.5", minute=2)
        lost = add_scored(session, bob, public="0.8", minute=3)
        session.query(Submission).filter_by(id=chosen).one().is_selected = True
        for submission_id in (chosen, lost):
            judging = session.query(Judging).filter_by(submission_id=submission_id).one()
            session.delete(session.get_one(PrivateScore, judging.id))
        session.flush()
        standings.recompute_public_board(session, competition=competition)
        assert board(session, competition) == [(1, "Ada", "0.90000"), (2, "Bob", "0.80000")]
        counting = standings.counting_finals(session, competition=competition, team_id=ada.id)
        assert counting == [chosen]
        competition.revealed_at = database_now(session)
        standings.write_private_board(session, competition=competition)
        assert board(session, competition, "private") == [(1, "Ada", "0.50000")]
        assert board(session, competition) == [(1, "Bob", "0.80000"), (2, "Ada", "0.20000")]
        counting = standings.counting_finals(session, competition=competition, team_id=ada.id)
        assert counting == [other]
