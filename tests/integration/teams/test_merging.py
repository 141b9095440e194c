"""Two teams become one with everything they have, and never with more than one could have had."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from podium.competitions.service.competitions import describe
from podium.core.access import Actor
from podium.core.database.engine import Database, database_now
from podium.core.models import MergeRequest, PublicScore, Standing, Submission, Team
from podium.errors import InvalidInput, NotFound, QuotaExhausted, WrongState
from podium.standings.service import standings
from podium.submissions.service import submissions
from podium.teams.service import merging, teams
from tests.builders.rows import RULES, add_user
from tests.builders.teams import (
    accept,
    add_member,
    ask,
    board,
    members_of,
    open_competition,
    scored_team,
    slots_of,
)


def refused(database: Database, actor: Actor, request_id: str) -> str:
    with pytest.raises(WrongState) as refusal:
        accept(database, actor, request_id)
    return refusal.value.code


def test_the_team_that_asks_becomes_a_part_of_the_other(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada, ada_member = scored_team(session, competition, "Ada", "0.5", "0.7")
        bob, bob_member = scored_team(session, competition, "Bob", "0.6")
        eve, _ = scored_team(session, competition, "Eve", "0.65")
    accept(database, bob_member, ask(database, ada_member, "bob"))
    assert board(database, competition) == [(1, "Bob", 70000, 3), (2, "Eve", 65000, 1)]
    assert members_of(database, bob) == {ada_member.user_id, bob_member.user_id}
    assert members_of(database, ada) == set()
    assert slots_of(database, bob) == [1, 2, 3]
    with database.read() as session:
        kept = session.get_one(Team, ada.id)
        assert (kept.merged_into_id, kept.name) == (bob.id, "Ada")
        assert kept.merged_at is not None
        assert session.query(Submission).filter_by(team_id=bob.id).count() == 3
        assert session.query(Standing).filter_by(team_id=ada.id).count() == 0
        assert describe(session, actor=None, slug="otto").counts.teams == 2
        assert session.query(Team).filter_by(id=eve.id).one().merged_into_id is None


def test_the_board_gets_a_new_version_with_a_merge(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        _, ada = scored_team(session, competition, "Ada")
        _, bob = scored_team(session, competition, "Bob")
        before = competition.board_version
    accept(database, bob, ask(database, ada, "Bob"))
    with database.read() as session:
        assert session.get_one(type(competition), competition.id).board_version > before


def test_slots_of_today_count_on_after_a_merge(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session, daily_limit=2)
        _, ada = scored_team(session, competition, "Ada", "0.1", "0.2")
        bob_team, bob = scored_team(session, competition, "Bob", "0.3", "0.4")
    accept(database, bob, ask(database, ada, "Bob"))
    assert slots_of(database, bob_team) == [1, 2, 3, 4]
    for actor in (ada, bob):
        with (
            database.write() as session,
            pytest.raises(QuotaExhausted, match="all submissions of today") as refusal,
        ):
            submissions.admit(session, slug="otto", actor=actor, rules=RULES)
        assert refusal.value.code == "quota-exhausted"


@pytest.mark.parametrize(("days", "code"), [(1, "merge-too-many-submissions"), (2, None)])
def test_together_they_may_have_used_what_one_team_could_have(
    database: Database, days: int, code: str | None
) -> None:
    with database.write() as session:
        competition = open_competition(session, daily_limit=2)
        now = database_now(session)
        competition.launched_at = now - timedelta(days=days - 1)
        _, ada = scored_team(session, competition, "Ada", "0.1", "0.2")
        _, bob = scored_team(session, competition, "Bob", "0.3")
    request_id = ask(database, ada, "Bob")
    if code is None:
        accept(database, bob, request_id)
    else:
        assert refused(database, bob, request_id) == code
        assert len(board(database, competition)) == 2


def test_the_total_limit_and_the_size_hold_for_both_together(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session, total_limit=2, team_size=2)
        _, ada = scored_team(session, competition, "Ada", "0.1", "0.2")
        bob_team, bob = scored_team(session, competition, "Bob", "0.3")
        _, eve = scored_team(session, competition, "Eve")
        add_member(session, bob_team)
    assert refused(database, bob, ask(database, eve, "Bob")) == "merge-too-large"
    assert refused(database, eve, ask(database, bob, "Eve")) == "merge-too-large"
    with database.write() as session:
        competition = session.merge(competition)
        competition.settings = {**competition.settings, "team_size": 5}
    assert refused(database, bob, ask(database, ada, "Bob")) == "merge-too-many-submissions"


def test_tags_survive_so_that_an_organizers_team_stays_unranked(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        staff, ada = scored_team(session, competition, "Ada", "0.9")
        staff.tags = ["organizer"]
        _, bob = scored_team(session, competition, "Bob", "0.6")
        standings.refresh(session, competition_id=competition.id, team_id=staff.id)
    accept(database, bob, ask(database, ada, "Bob"))
    assert board(database, competition) == [(None, "Bob", 90000, 2)]


def test_choices_of_both_teams_stay(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        _, ada = scored_team(session, competition, "Ada", "0.1")
        _, bob = scored_team(session, competition, "Bob", "0.3")
        session.query(Submission).update({"is_selected": True})
    accept(database, bob, ask(database, ada, "Bob"))
    with database.read() as session:
        assert session.query(Submission).filter_by(is_selected=True).count() == 2


def test_open_wishes_of_the_absorbed_team_end(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        _, ada = scored_team(session, competition, "Ada")
        _, bob = scored_team(session, competition, "Bob")
        _, eve = scored_team(session, competition, "Eve")
    to_bob, to_eve, from_eve = (
        ask(database, ada, "Bob"),
        ask(database, ada, "Eve"),
        ask(database, eve, "Ada"),
    )
    accept(database, bob, to_bob)
    with database.read() as session:
        found = {row.id: row.status for row in session.query(MergeRequest)}
    assert found == {to_bob: "accepted", to_eve: "void", from_eve: "void"}
    assert refused(database, eve, to_eve) == "cannot-merge"


def test_a_team_that_was_taken_in_is_not_found(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada_team, ada = scored_team(session, competition, "Ada")
        _, bob = scored_team(session, competition, "Bob")
        _, eve = scored_team(session, competition, "Eve")
        code = ada_team.invite_code
    accept(database, bob, ask(database, ada, "Bob"))
    for other in ("Ada", ada_team.id):
        with pytest.raises(NotFound):
            ask(database, eve, other)
    with database.write() as session, pytest.raises(NotFound):
        teams.join_team(session, slug="otto", actor=add_user(session), invite_code=code)


def test_an_earlier_merge_points_to_the_last_survivor(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada_team, ada = scored_team(session, competition, "Ada")
        _, bob = scored_team(session, competition, "Bob")
        eve_team, eve = scored_team(session, competition, "Eve")
    accept(database, bob, ask(database, ada, "Bob"))
    accept(database, eve, ask(database, bob, "Eve"))
    with database.read() as session:
        assert session.get_one(Team, ada_team.id).merged_into_id == eve_team.id
    assert len(members_of(database, eve_team)) == 3


def test_hidden_teams_cannot_be_found_and_baselines_not_be_merged(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        _, ada = scored_team(session, competition, "Ada")
        hidden, _ = scored_team(session, competition, "Hidden")
        hidden.tags = ["hidden"]
        organizer = add_user(session, is_administrator=True)
        teams.make_team(session, slug="otto", actor=organizer, name="Popular", is_baseline=True)
    with pytest.raises(NotFound):
        ask(database, ada, "Hidden")
    with pytest.raises(WrongState) as refusal:
        ask(database, ada, "Popular")
    assert refusal.value.code == "cannot-merge"
    with pytest.raises(InvalidInput):
        ask(database, ada, "ADA")


def test_an_organizer_merges_after_the_close_but_not_after_the_reveal(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada, _ = scored_team(session, competition, "Ada", "0.5")
        bob, _ = scored_team(session, competition, "Bob", "0.6")
        eve, _ = scored_team(session, competition, "Eve", "0.4")
        root = add_user(session, is_administrator=True)
        competition.closed_at = database_now(session)
    with database.write() as session:
        merging.merge_by_organizer(
            session, actor=root, team_id=bob.id, absorbed_id=ada.id, reason="one class"
        )
    assert board(database, competition) == [(1, "Bob", 60000, 2), (2, "Eve", 40000, 1)]
    with database.write() as session:
        session.merge(competition).revealed_at = database_now(session)
    with database.write() as session, pytest.raises(WrongState) as refusal:
        merging.merge_by_organizer(
            session, actor=root, team_id=bob.id, absorbed_id=eve.id, reason="too late"
        )
    assert refusal.value.code == "competition-revealed"


def test_a_verdict_that_comes_during_a_merge_counts_for_the_survivor(database: Database) -> None:
    with database.write() as session:
        competition = open_competition(session)
        ada_team, ada = scored_team(session, competition, "Ada", "0.9")
        _, bob = scored_team(session, competition, "Bob", "0.6")
    accept(database, bob, ask(database, ada, "Bob"))
    # What a verdict does that read the submission's team before the merge was over.
    with database.write() as session:
        session.query(PublicScore).update({"score": Fraction("0.95")})
        standings.refresh(session, competition_id=competition.id, team_id=ada_team.id)
    assert board(database, competition) == [(1, "Bob", 95000, 2)]
