"""Links of mail that are used at once, on both kinds of database: an address has one account."""

from __future__ import annotations

from functools import partial

from sqlalchemy import select

from podium.accounts.service import mail_links
from podium.accounts.service.deletion import delete_account
from podium.core.access import Actor
from podium.core.database.engine import Database
from podium.core.models import MailLink, User
from tests.builders.teams import at_once

MAIL = "ada@example.org"


def code_for(database: Database, mail: str = MAIL, name: str = "Ada") -> str:
    """The code of a link that makes an account."""
    with database.write() as session:
        letter = mail_links.ask_for_account(
            session, mail=mail, name=name, next_address="/", base_url="https://x.example"
        )
    return letter.text.partition("/mail-links/")[2].split()[0]


def reset_code_for(database: Database, mail: str = MAIL) -> str:
    """The code of a link that sets a password."""
    with database.write() as session:
        letter = mail_links.ask_for_password(session, mail=mail, base_url="https://x.example")
    return letter.text.partition("/mail-links/")[2].split()[0]


def use(database: Database, code: str, name: str) -> None:
    with database.write() as session:
        mail_links.use(session, code=code, name=name, password_hash=name, address=None)


def accounts_of(database: Database) -> list[tuple[str | None, str | None]]:
    with database.read() as session:
        assert session.scalars(select(MailLink)).all() == []
        return [(user.mail, user.password_hash) for user in session.scalars(select(User))]


def test_a_link_that_is_used_eight_times_at_once_makes_one_account(database: Database) -> None:
    code = code_for(database)
    ends = at_once([partial(use, database, code, f"person {letter}") for letter in "abcdefgh"])
    assert sorted(ends) == ["done"] + ["unknown-link"] * 7
    ((mail, _),) = accounts_of(database)
    assert mail == MAIL


def test_eight_links_to_one_address_that_are_used_at_once_make_one_account(
    database: Database,
) -> None:
    uses = [
        partial(use, database, code_for(database, mail), f"person {letter}")
        for letter, mail in zip("abcdefgh", (MAIL, "ADA@example.org") * 4, strict=True)
    ]
    ends = at_once(uses)
    assert sorted(ends) == ["done"] + ["unknown-link"] * 7
    assert len(accounts_of(database)) == 1


def test_links_of_a_forgotten_password_and_a_deletion_at_once_end_well(
    database: Database,
) -> None:
    use(database, code_for(database), "Ada")
    with database.read() as session:
        ada = session.scalars(select(User)).one()
        actor = Actor(ada.id, ada.name)
    codes = [reset_code_for(database) for _ in range(4)]

    def delete() -> None:
        with database.write() as session:
            delete_account(session, actor=actor, user_id=actor.user_id, confirm="Ada")

    ends = at_once([*(partial(use, database, code, code) for code in codes), delete])
    assert ends.count("done") in (1, 2)
    assert set(ends) == {"done", "unknown-link"}
    assert accounts_of(database) == [(None, None)]
