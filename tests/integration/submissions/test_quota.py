"""Slots are never given out once too often, and come back when they should."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from podium.core.access import Actor, competition_for_reader
from podium.core.database.engine import Database, database_now
from podium.core.judging_states import State
from podium.core.lookups import team_of
from podium.core.models import Judging, QuotaSlot
from podium.errors import NotAllowed, QuotaExhausted, WrongState
from podium.standings.service import leaks
from podium.submissions.service import quota, submissions
from podium.submissions.service.submissions import UploadRules
from podium.teams.service import teams
from tests.builders.rows import RULES, add_competition, add_scored, add_team, add_user, use_slot

RACERS = 16
ROUNDS = 6


def admit(database: Database, actor: Actor, rules: UploadRules = RULES, slug: str = "otto") -> str:
    with database.write() as session:
        return submissions.admit(session, slug=slug, actor=actor, rules=rules).slot_id


def enter(database: Database, **settings: object) -> Actor:
    with database.write() as session:
        competition = add_competition(session, settings=settings)
        return add_team(session, competition)[1]


def refusal_of(database: Database, actor: Actor, rules: UploadRules = RULES) -> QuotaExhausted:
    with pytest.raises(QuotaExhausted) as refusal:
        admit(database, actor, rules)
    return refusal.value


def test_sixteen_racers_never_get_more_than_the_daily_limit(database: Database) -> None:
    for number in range(ROUNDS):
        slug = f"round-{number}"
        with database.write() as session:
            competition = add_competition(session, slug=slug, settings={"daily_limit": 5})
            team, first = add_team(session, competition)
            others = [add_user(session) for _ in range(3)]
            for other in others:
                teams.join_team(session, slug=slug, actor=other, invite_code=team.invite_code)
        start = threading.Barrier(RACERS)
        members = [first, *others]

        def race(
            place: int,
            start: threading.Barrier = start,
            slug: str = slug,
            members: Sequence[Actor] = members,
        ) -> str:
            start.wait()
            try:
                admit(database, members[place % 4], slug=slug)
            except QuotaExhausted as refusal:
                return refusal.code
            return "admitted"

        with ThreadPoolExecutor(RACERS) as pool:
            ends = list(pool.map(race, range(RACERS)))
        assert sorted(ends) == ["admitted"] * 5 + ["quota-exhausted"] * 11


def test_the_last_slot_has_one_winner(database: Database) -> None:
    actor = enter(database, daily_limit=1)
    start = threading.Barrier(RACERS)

    def race(_: int) -> bool:
        start.wait()
        try:
            admit(database, actor)
        except QuotaExhausted:
            return False
        return True

    with ThreadPoolExecutor(RACERS) as pool:
        assert sum(pool.map(race, range(RACERS))) == 1


def test_a_used_up_day_says_when_the_next_begins(database: Database) -> None:
    actor = enter(database, daily_limit=1)
    admit(database, actor)
    refusal = refusal_of(database, actor)
    assert refusal.code == "quota-exhausted"
    with database.read() as session:
        now = database_now(session)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    assert abs(refusal.retry_after - (midnight - now).total_seconds()) <= 2


def test_slots_of_yesterday_do_not_count(database: Database) -> None:
    actor = enter(database, daily_limit=1)
    slot_id = admit(database, actor)
    with database.write() as session:
        slot = session.get_one(QuotaSlot, slot_id)
        slot.day -= timedelta(days=1)
        slot.submission_id = "done"
    assert admit(database, actor)


def test_the_total_limit_counts_all_days(database: Database) -> None:
    actor = enter(database, daily_limit=5, total_limit=1)
    slot_id = admit(database, actor)
    with database.write() as session:
        session.get_one(QuotaSlot, slot_id).day -= timedelta(days=3)
    assert refusal_of(database, actor).facts == {"limited_by": "total_limit"}


def test_a_refused_upload_gives_its_slot_back(database: Database) -> None:
    actor = enter(database, daily_limit=1)
    slot_id = admit(database, actor)
    with database.write() as session:
        quota.release_slot(session, slot_id=slot_id)
    assert admit(database, actor)


def test_a_silent_upload_loses_its_slot_and_a_living_one_keeps_it(database: Database) -> None:
    actor = enter(database, daily_limit=1)
    silent = UploadRules(uploads_per_user=16, rejected_per_hour=20, lease_seconds=-1)
    dead = admit(database, actor, silent)
    alive = admit(database, actor)
    with database.write() as session:
        assert session.get(QuotaSlot, dead) is None
        assert not quota.renew_slot(session, slot_id=dead, lease_seconds=20)
        assert quota.renew_slot(session, slot_id=alive, lease_seconds=20)
        assert quota.release_lapsed(session) == 0
        assert quota.renew_slot(session, slot_id=alive, lease_seconds=-1)
        assert quota.release_lapsed(session) == 1
        assert quota.release_lapsed(session) == 0


def test_the_slot_of_a_submission_never_lapses_and_comes_back_once(database: Database) -> None:
    actor = enter(database, daily_limit=1)
    with database.write() as session:
        team = team_of(
            session,
            competition_id=competition_for_reader(session, slug="otto", actor=actor).id,
            user_id=actor.user_id,
        )
        assert team is not None
        submission_id = add_scored(session, team, public="0.5")
        use_slot(session, team, submission_id)
        assert quota.release_lapsed(session) == 0
    refusal_of(database, actor)
    with database.write() as session:
        quota.return_slot(session, submission_id=submission_id)
        quota.return_slot(session, submission_id=submission_id)
    assert admit(database, actor)


def test_one_account_has_a_limit_of_uploads_at_a_time(database: Database) -> None:
    actor = enter(database, daily_limit=100)
    two = UploadRules(uploads_per_user=2, rejected_per_hour=20, lease_seconds=20)
    admit(database, actor, two)
    admit(database, actor, two)
    assert refusal_of(database, actor, two).code == "too-many-uploads"


def test_uploads_in_two_competitions_count_together(database: Database) -> None:
    actor = enter(database)
    with database.write() as session:
        add_competition(session, slug="second")
        teams.create_team(session, slug="second", actor=actor, name="Another")
    one = UploadRules(uploads_per_user=1, rejected_per_hour=20, lease_seconds=20)
    admit(database, actor, one)
    with pytest.raises(QuotaExhausted) as refusal:
        admit(database, actor, one, slug="second")
    assert refusal.value.code == "too-many-uploads"


def test_rejected_files_are_free_but_only_so_many_an_hour(database: Database) -> None:
    two = UploadRules(uploads_per_user=16, rejected_per_hour=2, lease_seconds=20)
    with database.write() as session:
        competition = add_competition(session)
        team, actor = add_team(session, competition)
        now = database_now(session)
        for minutes in (61, 30, 20):
            add_scored(
                session,
                team,
                public="0",
                state=State.REJECTED,
                judged_at=now - timedelta(minutes=minutes),
            )
    refusal = refusal_of(database, actor, two)
    assert refusal.code == "too-many-rejections"
    assert abs(refusal.retry_after - 30 * 60) <= 5
    in_half_an_hour = [now + timedelta(minutes=30, seconds=second) for second in (0, 1)]
    told = [f"is accepted from {moment:%H:%M:%S} UTC" for moment in in_half_an_hour]
    assert any(each in refusal.detail for each in told)


def test_phases_are_looked_at_by_the_clock_of_the_database(database: Database) -> None:
    with database.write() as session:
        now = database_now(session)
        hour = timedelta(hours=1)
        over = add_competition(session, slug="over")
        team_over = add_team(session, over)[1]
        over.ends_at = now
        soon = add_competition(session, slug="soon", starts_at=now + hour)
        team_soon = add_team(session, soon)[1]
    for actor, slug, code in (
        (team_over, "over", "competition-closed"),
        (team_soon, "soon", "competition-not-open"),
    ):
        with pytest.raises(WrongState) as refusal:
            admit(database, actor, slug=slug)
        assert refusal.value.code == code


def test_who_has_not_joined_or_is_disqualified_may_not_submit(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, member = add_team(session, competition)
        stranger = add_user(session)
        team.disqualified_at = database_now(session)
    for actor, code in ((stranger, "not-joined"), (member, "team-disqualified")):
        with pytest.raises(NotAllowed) as refusal:
            admit(database, actor)
        assert refusal.value.code == code


def test_a_baseline_has_no_quota_and_only_organizers_submit_for_it(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session, settings={"daily_limit": 1})
        organizer = add_user(session, is_administrator=True)
        other, member = add_team(session, competition)
        baseline = teams.make_team(
            session, slug="otto", actor=organizer, name="Popular items", is_baseline=True
        )
    for _ in range(3):
        with database.write() as session:
            assert submissions.admit(
                session, slug="otto", actor=organizer, rules=RULES, team_id=baseline.id
            ).slot_id
    for actor, team in ((member, baseline), (organizer, other)):
        with database.write() as session, pytest.raises(NotAllowed):
            submissions.admit(session, slug="otto", actor=actor, rules=RULES, team_id=team.id)


def test_of_a_teams_racing_uploads_so_many_go_on_at_a_time(database: Database) -> None:
    actor = enter(database, concurrent_uploads=3)

    def race(_: int) -> str:
        try:
            return admit(database, actor) and "admitted"
        except QuotaExhausted as refusal:
            return f"{refusal.code} {refusal.facts['limited_by']} {refusal.retry_after > 0}"

    with ThreadPoolExecutor(8) as pool:
        ended = sorted(pool.map(race, range(8)))
    assert ended == ["admitted"] * 3 + ["too-many-uploads concurrent_uploads True"] * 5


def test_files_that_were_cancelled_count_as_attempts_within_the_hour(database: Database) -> None:
    with database.write() as session:
        competition = add_competition(session)
        team, actor = add_team(session, competition)
        for _ in range(20):
            add_scored(
                session,
                team,
                public="0",
                state=State.CANCELLED,
                judged_at=database_now(session),
            )
    assert refusal_of(database, actor).code == "too-many-rejections"


def test_uploads_are_refused_while_the_organizers_take_none(database: Database) -> None:
    actor = enter(database, accept_uploads=False)
    with pytest.raises(WrongState) as refusal:
        admit(database, actor)
    assert refusal.value.code == "uploads-paused"


def test_a_file_after_the_end_is_taken_as_a_late_one_where_organizers_allow_it(
    database: Database,
) -> None:
    actor = enter(database, late_submissions=True)
    in_time = admit(database, actor)
    with database.write() as session:
        competition = competition_for_reader(session, slug="otto", actor=actor)
        competition.ends_at = database_now(session)
    late = admit(database, actor)
    with database.read() as session:
        assert not session.get_one(QuotaSlot, in_time).is_late
        assert session.get_one(QuotaSlot, late).is_late


def test_an_upload_that_was_accepted_keeps_its_slot_whatever_its_process_says_later(
    database: Database,
) -> None:
    actor = enter(database, daily_limit=1)
    slot_id = admit(database, actor)
    with database.write() as session:
        session.get_one(QuotaSlot, slot_id).submission_id = "accepted"
    with database.write() as session:
        quota.release_slot(session, slot_id=slot_id)
    assert refusal_of(database, actor).code == "quota-exhausted"


def test_a_team_that_was_told_as_many_bits_as_the_limit_submits_no_more(
    database: Database,
) -> None:
    actor = enter(database, leak_limit=33)
    tell(database, actor, "0.5")
    admit(database, actor)
    with database.write() as session:
        session.query(QuotaSlot).delete()
    tell(database, actor, "0.6")
    # Twice log2 of 100,001 numbers is 33.2.
    with pytest.raises(NotAllowed) as refusal:
        admit(database, actor)
    assert refusal.value.code == "leak-limit"
    assert "34 bits" in refusal.value.detail
    with database.write() as session:
        competition = competition_for_reader(session, slug="otto", actor=actor)
        team = team_of(session, competition_id=competition.id, user_id=actor.user_id)
        assert team is not None
        left = quota.allowance_of(session, competition=competition, team=team, rejected_per_hour=20)
        assert (left.submissions_left_today, left.limited_by) == (0, "leak_limit")
        # Late files are not part of the competition.
        competition.settings = {"leak_limit": 33, "late_submissions": True}
        competition.closed_at = database_now(session)
    admit(database, actor)


def test_files_without_a_verdict_count_as_much_as_they_may_tell(database: Database) -> None:
    actor = enter(database, leak_limit=34)
    for _ in range(2):
        admit(database, actor)
    with pytest.raises(NotAllowed, match="not judged yet may tell your team 34 bits"):
        admit(database, actor)


def test_the_leak_limit_is_not_for_teams_that_see_everything(database: Database) -> None:
    actor = enter(database, leak_limit=1)
    tell(database, actor, "0.5")
    with database.write() as session:
        competition = competition_for_reader(session, slug="otto", actor=actor)
        team = team_of(session, competition_id=competition.id, user_id=actor.user_id)
        assert team is not None
        team.tags = ["organizer"]
    admit(database, actor)


def tell(database: Database, actor: Actor, score: str) -> None:
    """Gives the actor's team a scored submission, whose score it sees."""
    with database.write() as session:
        competition = competition_for_reader(session, slug="otto", actor=actor)
        team = team_of(session, competition_id=competition.id, user_id=actor.user_id)
        assert team is not None
        submission_id = add_scored(session, team, public=score)
        judging = session.query(Judging).filter_by(submission_id=submission_id).one()
        leaks.record(session, judging=judging)
