"""Merges that meet merges, joins and uploads: no member is lost, no slot is given out twice."""

from __future__ import annotations

from functools import partial

from podium.core.access import Actor
from podium.core.database.engine import Database
from podium.submissions.service import submissions
from podium.teams.service import merging, teams
from tests.builders.rows import RULES, add_user
from tests.builders.teams import (
    accept,
    ask,
    at_once,
    board,
    members_of,
    open_competition,
    scored_team,
    slots_of,
)


def test_accepting_twice_at_once_merges_once(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        _, ada = scored_team(session, competition, "Ada", "0.5")
        bob_team, bob = scored_team(session, competition, "Bob", "0.6")
    request_id = ask(database, ada, "Bob")
    ends = at_once([lambda: accept(database, bob, request_id)] * 8)
    assert ends.count("done") == 1
    assert set(ends) <= {"done", "not-pending", "cannot-merge"}
    assert slots_of(database, bob_team) == [1, 2]
    assert board(database, competition) == [(1, "Bob", 60000, 2)]


def test_two_teams_that_accept_each_other_at_once_become_one_team(database: Database) -> None:
    for number in range(5):
        with database.write() as session:
            competition = open_competition(session, slug=f"round-{number}")
            teams_ = [scored_team(session, competition, name, "0.5") for name in ("Ada", "Bob")]
            ids = []
            for (_, actor), other in zip(teams_, ("Bob", "Ada"), strict=True):
                slug = competition.slug
                wish = merging.request_merge(session, slug=slug, actor=actor, other=other)
                ids.append(wish[0].id)

        def run(slug: str, actor: Actor, request_id: str) -> None:
            with database.write() as session:
                merging.accept_merge(session, slug=slug, actor=actor, request_id=request_id)

        answering = zip(reversed(teams_), ids, strict=True)
        ends = at_once([partial(run, f"round-{number}", who, wish) for (_, who), wish in answering])
        assert ends.count("done") == 1
        assert set(ends) <= {"done", "cannot-merge", "not-found", "not-pending", "team-changed"}
        assert [row[3] for row in board(database, competition)] == [2]


def test_a_join_and_a_merge_at_once_lose_no_member(database: Database) -> None:
    for number in range(5):
        slug = f"round-{number}"
        with database.write() as session:
            competition = open_competition(session, slug=slug)
            ada_team, ada = scored_team(session, competition, "Ada")
            bob_team, bob = scored_team(session, competition, "Bob")
            late = add_user(session)
            wish = merging.request_merge(session, slug=slug, actor=ada, other="Bob")[0].id

        def join(slug: str = slug, late: Actor = late, code: str = ada_team.invite_code) -> None:
            with database.write() as session:
                teams.join_team(session, slug=slug, actor=late, invite_code=code)

        def merge(slug: str = slug, bob: Actor = bob, wish: str = wish) -> None:
            with database.write() as session:
                merging.accept_merge(session, slug=slug, actor=bob, request_id=wish)

        ends = at_once([join, merge])
        assert members_of(database, ada_team) in (set(), {ada.user_id, late.user_id})
        everybody = members_of(database, ada_team) | members_of(database, bob_team)
        assert len(everybody) == (3 if ends == ["done", "done"] or "team-changed" in ends else 2)


def test_uploads_that_start_during_a_merge_use_a_slot_of_the_survivor(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session, daily_limit=5)
        ada_team, ada = scored_team(session, competition, "Ada", "0.5")
        bob_team, bob = scored_team(session, competition, "Bob", "0.6")
    request_id = ask(database, ada, "Bob")

    def admit() -> None:
        with database.write() as session:
            submissions.admit(session, slug="otto", actor=ada, rules=RULES)

    ends = at_once([lambda: accept(database, bob, request_id), *[admit] * 6])
    admitted = ends.count("done") - 1
    assert slots_of(database, ada_team) == []
    assert len(slots_of(database, bob_team)) == 2 + admitted
    assert len(set(slots_of(database, bob_team))) == 2 + admitted
