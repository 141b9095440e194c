"""Invariants at the start of the service: an administrator, and no upload without a reader."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from podium.accounts import queries as account_queries
from podium.accounts.service import accounts, bootstrap
from podium.competitions.service import competitions
from podium.core.access import Actor
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.texts import Texts
from podium.core.database.engine import Database, database_now
from podium.core.models import AccessToken
from podium.errors import NotAuthenticated, NotConfigured, WrongState
from podium.materials.service import ground_truth
from podium.storage import Stored

FIRST, SECOND = "the-first-given-token", "the-second-given-token"

UPLOAD = Stored("ab" * 32, 10)


def _who(database: Database, token: str) -> Actor:
    with database.read() as session:
        return accounts.authenticate(session, token=token, address=None)


def _ensure(database: Database, token: str | None) -> str | None:
    with database.write() as session:
        return bootstrap.ensure_administrator(session, token=token)


def _draft(database: Database, actor: Actor) -> None:
    with database.write() as session:
        competitions.create_competition(
            session,
            actor=actor,
            texts=Texts(slug="otto", title="OTTO"),
            settings=CompetitionSettings(),
        )


def test_without_a_given_token_one_is_made_exactly_once(database: Database) -> None:
    token = _ensure(database, None)
    assert token is not None
    assert _who(database, token).is_administrator
    assert _ensure(database, None) is None
    assert _who(database, token).is_administrator


def test_a_given_token_works_and_is_not_told_again(database: Database) -> None:
    assert _ensure(database, FIRST) is None
    assert _ensure(database, FIRST) is None
    assert _who(database, FIRST).name == "administrator"


def test_an_empty_token_is_no_token(database: Database) -> None:
    assert _ensure(database, "") is not None


def test_another_given_token_replaces_the_one_before(database: Database) -> None:
    _ensure(database, FIRST)
    _ensure(database, SECOND)
    with pytest.raises(NotAuthenticated):
        _who(database, FIRST)
    assert _who(database, SECOND).is_administrator
    _ensure(database, FIRST)
    with pytest.raises(NotAuthenticated):
        _who(database, SECOND)
    assert _who(database, FIRST).is_administrator


def test_a_given_token_replaces_the_one_that_was_printed(database: Database) -> None:
    printed = _ensure(database, None)
    assert printed is not None
    _ensure(database, FIRST)
    with pytest.raises(NotAuthenticated):
        _who(database, printed)
    assert _who(database, FIRST).is_administrator


def test_the_printed_token_itself_may_be_given(database: Database) -> None:
    printed = _ensure(database, None)
    assert printed is not None
    _ensure(database, printed)
    assert _who(database, printed).is_administrator


@pytest.mark.parametrize(
    "token",
    ["with-a-space-in-it and-long", "with-a-tab-in-it\t-and-long", "ümlauts-in-a-long-token"],
)
def test_a_token_that_no_header_can_carry_is_refused(database: Database, token: str) -> None:
    with pytest.raises(NotConfigured):
        _ensure(database, token)


def test_the_token_of_a_participant_does_not_become_the_administrators(database: Database) -> None:
    _ensure(database, FIRST)
    admin = _who(database, FIRST)
    with database.write() as session:
        _, token = accounts.create_user(session, actor=admin, name="ada", is_organizer=False)
    with pytest.raises(NotConfigured):
        _ensure(database, token)
    assert not _who(database, token).is_administrator


def test_only_hashes_of_tokens_are_kept(database: Database) -> None:
    token = _ensure(database, None)
    with database.read() as session:
        [row] = session.query(AccessToken).all()
    assert token is not None
    assert row.sha256 == accounts.sha256_of(token)
    assert token not in repr(vars(row))


def test_a_token_ends_by_the_databases_clock(database: Database) -> None:
    _ensure(database, FIRST)
    with database.write() as session:
        user = accounts.add_user(session, name="ada")
        soon = database_now(session) + timedelta(hours=1)
        past = database_now(session) - timedelta(seconds=1)
        _, good = accounts.new_token(session, user=user, label="", expires_at=soon)
        _, bad = accounts.new_token(session, user=user, label="", expires_at=past)
    assert _who(database, good).name == "ada"
    with pytest.raises(NotAuthenticated):
        _who(database, bad)


def test_one_of_many_racers_gets_a_name(database: Database) -> None:
    def try_to_add(name: str) -> bool:
        try:
            with database.write() as session:
                accounts.add_user(session, name=name)
        except WrongState:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(try_to_add, ["Ada", "ADA", "аda", "ada"] * 4))
    assert won.count(True) == 1
    with database.read() as session:
        assert len(account_queries.users_after(session, None, limit=10)) == 1


def test_processes_that_start_at_once_make_one_administrator(database: Database) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: _ensure(database, FIRST), range(8)))
    with database.read() as session:
        assert len(account_queries.users_after(session, None, limit=10)) == 1
    assert _who(database, FIRST).is_administrator


def test_the_bytes_that_are_being_read_are_that_upload_and_others_wait(database: Database) -> None:
    _ensure(database, FIRST)
    admin = _who(database, FIRST)
    _draft(database, admin)
    with database.write() as session:
        first, is_new = ground_truth.accept_upload(session, actor=admin, slug="otto", stored=UPLOAD)
    assert is_new
    with database.write() as session:
        again, is_new = ground_truth.accept_upload(session, actor=admin, slug="otto", stored=UPLOAD)
    assert (again.id, is_new) == (first.id, False)
    with database.write() as session, pytest.raises(WrongState) as refused:
        ground_truth.accept_upload(session, actor=admin, slug="otto", stored=Stored("cd" * 32, 10))
    assert refused.value.code == "ground-truth-checking"
