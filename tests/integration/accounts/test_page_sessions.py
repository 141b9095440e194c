"""Lifetimes of browser sessions, on both kinds of database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from podium.accounts.service import page_sessions
from podium.core.access import Actor
from podium.core.database.engine import Database, database_now
from podium.core.models import PageSession
from podium.errors import NotFound
from tests.builders.rows import add_user


@pytest.fixture
def ada(database: Database) -> Actor:
    with database.write() as session:
        return add_user(session)


def begun(database: Database, actor: Actor, browser: str = "a browser") -> tuple[str, str]:
    """The id and the cookie of a new session."""
    with database.write() as session:
        row, cookie = page_sessions.begin_session(session, actor=actor, browser=browser)
        return row.id, cookie


def recognized(database: Database, cookie: str) -> tuple[Actor, bool] | None:
    with database.read() as session:
        return page_sessions.recognize(session, cookie=cookie, address="10.0.0.9")


def grown_older(database: Database, **ages: timedelta) -> None:
    """Moves moments of all sessions into the past."""
    with database.write() as session:
        now = database_now(session)
        values: dict[str, Any] = {name: now - age for name, age in ages.items()}
        session.execute(update(PageSession).values(values))


def test_only_the_hash_of_a_cookie_is_kept(database: Database, ada: Actor) -> None:
    session_id, cookie = begun(database, ada)
    with database.read() as session:
        row = session.get_one(PageSession, session_id)
        assert cookie not in (row.sha256, row.browser)
        assert len(row.sha256) == 64
    found = recognized(database, cookie)
    assert found is not None
    assert (found[0].user_id, found[0].page_session_id) == (ada.user_id, session_id)
    assert recognized(database, cookie[:-1]) is None
    assert recognized(database, "") is None


@pytest.mark.parametrize(
    ("idle", "works"), [(timedelta(days=13, hours=23), True), (timedelta(days=14), False)]
)
def test_two_weeks_without_use_end_a_session(
    database: Database, ada: Actor, idle: timedelta, works: bool
) -> None:
    _, cookie = begun(database, ada)
    grown_older(database, last_used_at=idle)
    assert (recognized(database, cookie) is not None) is works
    with database.read() as session:
        assert len(page_sessions.list_sessions(session, actor=ada)) == works


def test_sixty_days_end_a_session_however_much_it_is_used(database: Database, ada: Actor) -> None:
    session_id, cookie = begun(database, ada)
    with database.read() as session:
        row = session.get_one(PageSession, session_id)
        assert row.expires_at - row.created_at == timedelta(days=60)
        assert page_sessions.ends_at(row) == row.last_used_at + timedelta(days=14)
    grown_older(database, expires_at=timedelta(0))
    assert recognized(database, cookie) is None


def test_a_use_is_noted_every_ten_minutes_at_most(database: Database, ada: Actor) -> None:
    session_id, cookie = begun(database, ada)
    found = recognized(database, cookie)
    assert found is not None
    assert found[1] is False
    grown_older(database, last_used_at=timedelta(minutes=11))
    found = recognized(database, cookie)
    assert found is not None
    assert found[1] is True
    with database.write() as session:
        page_sessions.note_use(session, actor=found[0])
    with database.read() as session:
        row = session.get_one(PageSession, session_id)
        assert database_now(session) - row.last_used_at < timedelta(minutes=5)
        assert row.address == "10.0.0.9"


def test_of_too_many_sessions_the_one_unused_for_longest_ends(
    database: Database, ada: Actor
) -> None:
    cookies = [begun(database, ada, str(number))[1] for number in range(21)]
    assert recognized(database, cookies[0]) is None
    assert all(recognized(database, cookie) for cookie in cookies[1:])
    with database.read() as session:
        shown = page_sessions.list_sessions(session, actor=ada)
        assert [row.browser for row in shown] == [str(number) for number in range(20, 0, -1)]


def test_rows_of_ended_sessions_go_with_the_next_sign_in(database: Database, ada: Actor) -> None:
    first, _ = begun(database, ada)
    with database.write() as session:
        page_sessions.end_session(session, actor=ada, session_id=first)
    begun(database, ada)
    with database.read() as session:
        assert session.get(PageSession, first) is None


def test_a_session_is_ended_by_its_person_only_and_once(database: Database, ada: Actor) -> None:
    session_id, cookie = begun(database, ada)
    with database.write() as session:
        eve = add_user(session)
    for actor, is_over in ((eve, False), (ada, True)):
        with database.write() as session:
            if is_over:
                page_sessions.end_session(session, actor=actor, session_id=session_id)
            else:
                with pytest.raises(NotFound):
                    page_sessions.end_session(session, actor=actor, session_id=session_id)
        assert (recognized(database, cookie) is None) is is_over
    with database.write() as session, pytest.raises(NotFound):
        page_sessions.end_session(session, actor=ada, session_id=session_id)


def test_what_a_browser_calls_itself_is_cut_and_printable(database: Database, ada: Actor) -> None:
    session_id, _ = begun(database, ada, "a\x00b\n\x1b[31m" + "x" * 500)
    with database.read() as session:
        kept = session.get_one(PageSession, session_id).browser
    assert kept == "ab[31m" + "x" * 194
