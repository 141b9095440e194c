"""An account, a session or a token that ends while a request is on its way opens no door."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from podium.accounts.service import credentials, page_sessions, sign_in
from podium.accounts.service.accounts import new_token
from podium.accounts.service.descent import still_let_in
from podium.core.access import Actor
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.models import AccessToken, PageSession, User
from podium.errors import NotAuthenticated, WrongState
from tests.builders.rows import add_user


@pytest.fixture
def ada(database: Database) -> Actor:
    """A person in a browser that was signed in with a token."""
    with database.write() as session:
        ada = add_user(session, "ada")
        token, _ = new_token(session, user=session.get_one(User, ada.user_id), label="laptop")
        by_token = Actor(ada.user_id, ada.name, token_id=token.id)
        row, _ = page_sessions.begin_session(session, actor=by_token, browser="a browser")
        return Actor(ada.user_id, ada.name, token_id=token.id, page_session_id=row.id)


def disable(session: WriteSession) -> None:
    session.query(User).one().disabled_at = database_now(session)


def sign_out(session: WriteSession) -> None:
    session.query(PageSession).one().revoked_at = database_now(session)


def revoke(session: WriteSession) -> None:
    session.query(AccessToken).one().revoked_at = database_now(session)


def expire(session: WriteSession) -> None:
    session.query(AccessToken).one().expires_at = database_now(session) - timedelta(seconds=1)


@pytest.mark.parametrize("end", [disable, sign_out, revoke, expire])
def test_who_was_let_in_is_out_when_the_account_the_session_or_the_token_has_ended(
    database: Database, ada: Actor, end: Callable[[WriteSession], None]
) -> None:
    with database.write() as session:
        user, token = still_let_in(session, actor=ada)
        assert (user.id, token and token.id) == (ada.user_id, ada.token_id)
        end(session)
    with database.write() as session, pytest.raises(NotAuthenticated):
        still_let_in(session, actor=ada)


def test_a_password_that_was_replaced_while_it_was_checked_signs_no_user_in(
    database: Database, ada: Actor
) -> None:
    with database.write() as session:
        session.query(User).one().password_hash = "old"
    with database.read() as session:
        candidate = sign_in.candidate_named(session, name=ada.name)
    with database.write() as session:
        assert sign_in.still_right(session, candidate=candidate).id == ada.user_id
        session.query(User).one().password_hash = "new"
    with database.write() as session, pytest.raises(NotAuthenticated) as refusal:
        sign_in.still_right(session, candidate=candidate)
    assert refusal.value.code == "wrong-credentials"


def test_of_two_changes_of_a_password_the_slower_one_changes_nothing(
    database: Database, ada: Actor
) -> None:
    with database.write() as session:
        credentials.set_password(session, actor=ada, password_hash="mine", before=None)
    with database.write() as session, pytest.raises(WrongState) as refusal:
        credentials.set_password(session, actor=ada, password_hash="other", before=None)
    assert refusal.value.code == "password-changed"
    with database.read() as session:
        assert session.query(User).one().password_hash == "mine"
