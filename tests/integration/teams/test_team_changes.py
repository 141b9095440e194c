"""Leaving, moving, renaming, disqualifying, tagging: what changes a team, and what never does."""

from __future__ import annotations

import pytest

from podium.boards.queries import rows as row_queries
from podium.core.access import Actor
from podium.core.database.engine import Database, database_now
from podium.core.models import AccessLink, AuditEntry, QuotaSlot, Team
from podium.errors import InvalidInput, NotFound, WrongState
from podium.standings.service import standings
from podium.submissions.service import submissions
from podium.teams.service import links, organizing, own_team, teams
from podium.teams.service.links import InviteProperties
from tests.builders.rows import RULES, add_team, add_user
from tests.builders.teams import (
    add_member,
    ask,
    at_once,
    board,
    members_of,
    open_competition,
    scored_team,
)


def test_a_user_who_leaves_an_unused_team_may_enter_again(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        team, ada = add_team(session, competition, "Ada")
        bob = add_member(session, team)
    with database.write() as session:
        own_team.leave_team(session, slug="otto", actor=ada)
    assert members_of(database, team) == {bob.user_id}
    with database.write() as session:
        teams.create_team(session, slug="otto", actor=ada, name="Another")


def test_the_last_one_takes_the_team_along_with_all_that_names_it(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        team, ada = add_team(session, competition, "Ada")
        add_team(session, competition, "Bob")
        root = add_user(session, is_administrator=True)
        links.make_invite(session, actor=root, wanted=InviteProperties("otto", team_id=team.id))
    ask(database, ada, "Bob")
    with database.write() as session:
        own_team.leave_team(session, slug="otto", actor=ada)
    with database.write() as session:
        assert session.get(Team, team.id) is None
        assert session.query(AccessLink).count() == 0
        teams.create_team(session, slug="otto", actor=ada, name="Ada")


@pytest.mark.parametrize("begun", ["slot", "submission"])
def test_no_member_leaves_a_team_that_has_begun(database: Database, begun: str) -> None:
    with database.write() as session:
        competition = open_competition(session)
        team, ada = scored_team(session, competition, "Ada", "0.5")
        if begun == "submission":
            # A rejected file gives its slot back and was sent all the same.
            session.query(QuotaSlot).delete()
        else:
            team, ada = add_team(session, competition, "Bob")
            submissions.admit(session, slug="otto", actor=ada, rules=RULES)
    with database.write() as session, pytest.raises(WrongState) as refusal:
        own_team.leave_team(session, slug="otto", actor=ada)
    assert refusal.value.code == "team-has-begun"
    assert members_of(database, team) == {ada.user_id}


def test_leaving_and_submitting_at_once_never_gives_a_second_quota(database: Database) -> None:
    for number in range(5):
        slug = f"round-{number}"
        with database.write() as session:
            competition = open_competition(session, slug=slug)
            team, ada = add_team(session, competition, "Ada")
            add_member(session, team, slug)

        def leave(slug: str = slug, ada: Actor = ada) -> None:
            with database.write() as session:
                own_team.leave_team(session, slug=slug, actor=ada)

        def admit(slug: str = slug, ada: Actor = ada) -> None:
            with database.write() as session:
                submissions.admit(session, slug=slug, actor=ada, rules=RULES)

        assert at_once([leave, admit]) in (["done", "not-joined"], ["done", "team-has-begun"])


def test_a_new_name_is_on_the_board_and_the_old_one_free(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        _, ada = scored_team(session, competition, "Ada", "0.5")
        _, bob = scored_team(session, competition, "Bob", "0.4")
        version = competition.board_version
    with database.write() as session:
        own_team.change_team(session, slug="otto", actor=ada, name="  The   Lovelaces ")
    assert board(database, competition)[0][1] == "The Lovelaces"
    with database.write() as session:
        assert session.merge(competition, load=True).board_version >= version
        with pytest.raises(WrongState):
            own_team.change_team(session, slug="otto", actor=bob, name="the l0velaces")
    with database.write() as session:
        own_team.change_team(session, slug="otto", actor=bob, name="Ada")


def test_a_new_code_ends_the_old_one(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        team, ada = add_team(session, competition, "Ada")
        old = team.invite_code
    with database.write() as session:
        new = own_team.renew_invite_code(session, slug="otto", actor=ada).invite_code
    with database.write() as session:
        with pytest.raises(NotFound):
            teams.join_team(session, slug="otto", actor=add_user(session), invite_code=old)
        teams.join_team(session, slug="otto", actor=add_user(session), invite_code=new)


def test_a_disqualified_team_stays_marked_without_a_rank(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada, _ = scored_team(session, competition, "Ada", "0.9")
        scored_team(session, competition, "Bob", "0.6")
        root = add_user(session, is_administrator=True)
        version = competition.board_version
    with database.write() as session:
        organizing.disqualify_team(session, actor=root, team_id=ada.id, reason="two accounts")
    assert board(database, competition) == [(None, "Ada", 90000, 1), (1, "Bob", 60000, 1)]
    with database.write() as session:
        with pytest.raises(WrongState):
            organizing.disqualify_team(session, actor=root, team_id=ada.id, reason="x")
        now = session.get_one(type(competition), competition.id)
        assert now.board_version > version
        organizing.reinstate_team(session, actor=root, team_id=ada.id, reason="not so")
    assert board(database, competition)[0] == (1, "Ada", 90000, 1)
    with database.read() as session:
        acts = session.query(AuditEntry.action, AuditEntry.facts).order_by(AuditEntry.id).all()
    assert ("team.disqualify", {"reason": "two accounts"}) in [tuple(act) for act in acts]


def test_the_private_board_follows_a_disqualification_after_the_reveal(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada, _ = scored_team(session, competition, "Ada", "0.9")
        scored_team(session, competition, "Bob", "0.6")
        root = add_user(session, is_administrator=True)
        competition.closed_at = competition.revealed_at = database_now(session)
        standings.write_private_board(session, competition=competition)
        organizing.disqualify_team(session, actor=root, team_id=ada.id, reason="x")
    with database.read() as session:
        rows = row_queries.page(
            session, competition_id=competition.id, board="private", limit=None, offset=0
        )
    assert {row.team.name: row.rank for row in rows} == {"Ada": None, "Bob": 1}


def test_a_hidden_team_is_on_no_board_until_it_is_shown_again(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada, _ = scored_team(session, competition, "Ada", "0.9")
        root = add_user(session, is_administrator=True)
    for tags, rows in ((["hidden"], []), ([], [(1, "Ada", 90000, 1)])):
        with database.write() as session:
            organizing.change_team(session, actor=root, team_id=ada.id, tags=tags)
        assert board(database, competition) == rows
    with database.write() as session, pytest.raises(InvalidInput):
        organizing.change_team(session, actor=root, team_id=ada.id, tags=["baseline"])


def test_organizers_move_people_but_not_what_they_submitted(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session, team_size=2)
        ada_team, ada = scored_team(session, competition, "Ada", "0.9")
        bob_team, bob = scored_team(session, competition, "Bob")
        root = add_user(session, is_administrator=True)
        other = add_user(session)
    with database.write() as session:
        organizing.put_member(
            session, actor=root, team_id=bob_team.id, user_id=ada.user_id, reason="asked for it"
        )
    assert members_of(database, bob_team) == {ada.user_id, bob.user_id}
    assert board(database, competition) == [(1, "Ada", 90000, 1)]
    for user_id, code in ((other.user_id, "team-full"), (ada.user_id, "already-in-team")):
        with database.write() as session, pytest.raises(WrongState) as refusal:
            organizing.put_member(
                session, actor=root, team_id=bob_team.id, user_id=user_id, reason="x"
            )
        assert refusal.value.code == code
    with database.write() as session:
        organizing.remove_member(
            session, actor=root, team_id=bob_team.id, user_id=ada.user_id, reason="left"
        )
        with pytest.raises(NotFound):
            organizing.remove_member(
                session, actor=root, team_id=ada_team.id, user_id=ada.user_id, reason="x"
            )
    assert members_of(database, bob_team) == {bob.user_id}


def test_only_organizers_of_its_competition_act_on_a_team(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        team, ada = add_team(session, competition, "Ada")
        stranger = add_user(session, is_organizer=True)
    for actor in (ada, stranger):
        for team_id in (team.id, "unknown"):
            with database.write() as session, pytest.raises(NotFound) as refusal:
                organizing.disqualify_team(session, actor=actor, team_id=team_id, reason="x")
            assert refusal.value.detail == organizing.UNKNOWN
