"""The deletion of competitions, on both databases: what goes, what stays, and in which order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Collection
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import pytest
import sqlalchemy as sa

from podium.competitions.service import deletion
from podium.competitions.service.competitions import describe, list_competitions
from podium.core.access import Actor
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.database.types import ExactNumber, UtcDateTime, new_id
from podium.core.models import (
    AuditEntry,
    Base,
    Competition,
    Job,
    Judging,
    Membership,
    MergeRequest,
    Submission,
    Team,
)
from podium.errors import InvalidInput, NotFound, WrongState
from podium.submissions.service import quota
from tests.builders.rows import RULES, START, add_competition, add_scored, add_team, add_user
from tests.places import ROOT

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

OTHERS = {
    "access_tokens",
    "audit_entries",
    "mail_links",
    "page_sessions",
    "provided_identities",
    "sign_up_requests",
    "signing_keys",
    "users",
    "workers",
}
"""Tables of accounts and of the installation, whose rows stay. A new table is a competition's
unless it is named here."""

OWNED = set(Base.metadata.tables) - OTHERS

GIVEN: dict[tuple[str, str], Any] = {
    ("competitions", "settings"): {},
    ("competitions", "deleted_at"): None,
    ("jobs", "state"): "done",
    ("judgings", "state"): "scored",
    ("rejudgings", "state"): "applied",
}

OURS: dict[type, Any] = {ExactNumber: Fraction(1, 2), UtcDateTime: AT}

NAMED = {
    "competition_id": "competitions",
    "submission_id": "submissions",
    "judging_id": "judgings",
    "slot_id": "quota_slots",
}
"""Tables by the names of columns that refer to them, also without a foreign key."""

REMOVER = """
import os, signal, sys, threading
from podium.competitions.service.deletion import remove_deleted
from podium.core.database.engine import Database

class Killed(threading.Event):
    def wait(self, timeout):
        if timeout > 0:
            os.kill(os.getpid(), signal.SIGKILL)

remove_deleted(Database(sys.argv[1]), stopping=Killed())
"""
"""A remover that is killed after the first portion of a table that has more."""


def test_rows_of_a_draft_go_with_it_and_others_stay(database: Database) -> None:
    with database.write() as session:
        draft, other = add_competition(session), add_competition(session, slug="other")
        administrator = add_user(session, is_administrator=True)
        one, _ = add_team(session, draft, "One")
        two, _ = add_team(session, draft, "Two")
        kept, _ = add_team(session, other, "Kept")
        wish = MergeRequest(from_team_id=one.id, to_team_id=two.id, status="pending")
        wish.created_at, wish.created_by = database_now(session), administrator.user_id
        session.add(wish)
        draft.launched_at = None
    with database.write() as session:
        deletion.delete_competition(session, actor=administrator, slug="otto")
    with database.read() as session:
        assert [each.slug for each in session.query(Competition)] == ["other"]
        assert [each.id for each in session.query(Team)] == [kept.id]
        assert {each.team_id for each in session.query(Membership)} == {kept.id}
        assert session.query(MergeRequest).count() == 0


def test_of_every_table_the_rows_of_a_deleted_competition_go_and_no_others(
    database: Database,
) -> None:
    with database.write() as session:
        accounts = _fill(session, OTHERS, {})
        gone, kept = _fill(session, OWNED, accounts), _fill(session, OWNED, accounts)
        session.add(
            Team(
                competition_id=gone["competitions"],
                name="merged",
                name_key="merged",
                invite_code="merged",
                created_at=AT,
                merged_into_id=gone["teams"],
            )
        )
        administrator = add_user(session, is_administrator=True)
        slug = session.get_one(Competition, gone["competitions"]).slug
    assert all(gone[name] != kept[name] for name in OWNED)
    before = _rows(database)
    with database.write() as session:
        deletion.delete_competition(session, actor=administrator, slug=slug, confirm=slug)
    assert deletion.remove_deleted(database, stopping=threading.Event()) == 1
    after = _rows(database)
    entries = [
        dict(row) for row in after.pop("audit_entries") if row not in before["audit_entries"]
    ]
    assert before.pop("audit_entries") != []
    ids = {gone[name] for name in OWNED}
    lost = {name for name, rows in before.items() if len(rows) > len(after[name])}
    assert lost == OWNED
    for name, rows in before.items():
        others = [row for row in rows if not any(each in repr(row) for each in ids)]
        assert after[name] == others, name
    assert [(each["action"], each["actor_id"]) for each in entries] == [
        ("competition.delete", administrator.user_id),
        ("competition.remove", None),
    ]
    assert [each["competition_id"] for each in entries] == [gone["competitions"]] * 2
    assert entries[0]["facts"] == {"slug": slug, "title": f"title {gone['competitions']}"} | {
        "teams": 0,  # One is disqualified, and the other was merged into it.
        "submissions": 1,
    }
    assert entries[1]["facts"] == {"slug": slug}


def test_since_the_mark_no_user_sees_the_competition_and_its_slug_is_free(
    database: Database,
) -> None:
    with database.write() as session:
        competition, administrator = _over(session)
        _, member = add_team(session, add_competition(session, "other"))
        slug = competition.slug
    with database.write() as session:
        deletion.delete_competition(session, actor=administrator, slug="otto", confirm="OTTO")
    with database.write() as session:
        hidden = session.get_one(Competition, competition.id).slug
        for actor in (administrator, member, None):
            for name in (slug, hidden):
                with pytest.raises(NotFound):
                    describe(session, actor=actor, slug=name)
            seen = list_competitions(session, actor=actor, after_id=None, limit=10)
            assert [each.competition.slug for each in seen] == ["other"]
        assert add_competition(session).slug == slug


def test_an_upload_that_began_before_the_mark_finds_no_competition(database: Database) -> None:
    with database.write() as session:
        competition, administrator = _over(session)
        team = session.scalars(sa.select(Team)).one()
        user_id = session.scalars(sa.select(Membership.user_id)).one()
    with database.write() as session:
        deletion.delete_competition(session, actor=administrator, slug="otto", confirm="otto")
    with database.write() as session, pytest.raises(NotFound):
        quota.reserve(
            session,
            competition=competition,
            team=team,
            user_id=user_id,
            uploads_per_user=RULES.uploads_per_user,
            rejected_per_hour=RULES.rejected_per_hour,
            lease_seconds=RULES.lease_seconds,
            is_limited=True,
        )


def test_what_is_still_judged_or_unconfirmed_is_refused(database: Database) -> None:
    with database.write() as session:
        competition, administrator = _over(session)
        waiting = session.scalars(sa.select(Judging)).one()
        waiting.state = "queued"
    assert _refusal(database, administrator) == "still-judging"
    with database.write() as session:
        # Held, it waits for nothing; but what is being judged ends first.
        session.get_one(Competition, competition.id).settings = {"judge_uploads": False}
        session.get_one(Judging, waiting.id).state = "judging"
    assert _refusal(database, administrator) == "still-judging"
    with database.write() as session:
        session.get_one(Judging, waiting.id).state = "queued"
    assert _refusal(database, administrator, confirm=None) == "not-confirmed"
    assert _refusal(database, administrator, confirm="other") == "not-confirmed"
    assert _refusal(database, administrator) is None


def test_rows_stay_until_the_jobs_of_the_competition_have_ended(database: Database) -> None:
    with database.write() as session:
        competition, administrator = _over(session)
        job = Job(kind="any", competition_id=competition.id, key="k", arguments={})
        job.state, job.priority, job.created_at = "running", 1, AT
        session.add(job)
    assert _refusal(database, administrator) is None
    assert deletion.remove_deleted(database, stopping=threading.Event()) == 0
    with database.write() as session:
        ended = session.get_one(Job, job.id)
        assert ended.cancel_requested
        ended.state = "cancelled"
    assert deletion.remove_deleted(database, stopping=threading.Event()) == 1


def test_a_remover_that_is_killed_leaves_a_hidden_competition_and_the_next_one_goes_on(
    database: Database,
) -> None:
    with database.write() as session:
        competition, administrator = _over(session)
        team = session.scalars(sa.select(Team)).one()
        count = 2 * deletion.PORTION
        user_id = session.scalars(sa.select(Membership.user_id)).one()
        files = [_submission(team, user_id, number) for number in range(count)]
        session.execute(sa.insert(Submission), files)
    assert _refusal(database, administrator) is None
    there = _left(database)
    remover = subprocess.run(
        [sys.executable, "-c", REMOVER, database.url],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert remover.returncode == -signal.SIGKILL
    assert _left(database) == there - deletion.PORTION
    with database.read() as session:
        assert session.get_one(Competition, competition.id).deleted_at is not None
        assert list_competitions(session, actor=administrator, after_id=None, limit=9) == []
    assert deletion.remove_deleted(database, stopping=threading.Event()) == 1
    assert _left(database) == 0
    with database.read() as session:
        assert session.get(Competition, competition.id) is None


def test_a_worker_that_leaves_stops_between_two_portions(database: Database) -> None:
    with database.write() as session:
        _, administrator = _over(session)
    assert _refusal(database, administrator) is None
    leaving = threading.Event()
    leaving.set()
    assert deletion.remove_deleted(database, stopping=leaving) == 0
    with database.read() as session:
        assert session.query(Competition).count() == 1
        assert session.query(AuditEntry).filter_by(action="competition.remove").count() == 0


def _over(session: WriteSession) -> tuple[Competition, Actor]:
    """A closed competition with one team and a scored submission, and the administrator."""
    competition = add_competition(session)
    team, _ = add_team(session, competition)
    add_scored(session, team, public="0.5")
    competition.closed_at = START
    session.flush()
    return competition, add_user(session, is_administrator=True)


def _refusal(database: Database, actor: Actor, *, confirm: str | None = "otto") -> str | None:
    try:
        with database.write() as session:
            deletion.delete_competition(session, actor=actor, slug="otto", confirm=confirm)
    except (InvalidInput, WrongState) as refused:
        return refused.code
    return None


def _submission(team: Team, user_id: str, number: int) -> dict[str, Any]:
    return {
        "id": new_id(),
        "competition_id": team.competition_id,
        "team_id": team.id,
        "user_id": user_id,
        "filename": "s.csv",
        "bytes": 1,
        "sha256": f"{number:064x}",
        "submitted_at": AT,
    }


def _left(database: Database) -> int:
    with database.read() as session:
        return session.query(Submission).count()


def _fill(session: WriteSession, names: Collection[str], known: dict[str, str]) -> dict[str, str]:
    """Inserts a row into each of these tables, and answers the keys of all that are known."""
    keys = known | {name: new_id() for name in names}
    for table in Base.metadata.sorted_tables:
        if table.name in names:
            given = {column.key: _value(column, keys) for column in table.columns}
            if table.name == "submissions":
                del given["sequence"]
            session.execute(sa.insert(table).values(given))
    return keys


def _value(column: sa.Column[Any], keys: dict[str, str]) -> Any:
    """Something that the column takes: the key of a row that it refers to, if it does."""
    table, own = column.table.name, keys[column.table.name]
    if (table, column.name) in GIVEN:
        return GIVEN[table, column.name]
    for key in column.foreign_keys:
        return None if key.column.table is column.table else keys[key.column.table.name]
    if NAMED.get(column.name) in keys:
        return keys[NAMED[column.name]]
    if column.name == "id" or getattr(column.type, "length", None) == len(own):
        return own
    if type(column.type) in OURS:
        return OURS[type(column.type)]
    kinds: dict[type, Any] = {bool: False, int: 1, float: 0.5, date: AT.date()}
    kinds |= {object: {}, dict: {}, bytes: b"", str: f"{column.name} {own}"}
    return kinds[column.type.python_type]


def _rows(database: Database) -> dict[str, list[Any]]:
    """All rows of all tables, by their keys."""
    with database.read() as session:
        return {
            table.name: [
                tuple(row._mapping.items())
                for row in session.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in Base.metadata.sorted_tables
        }
