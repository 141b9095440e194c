"""`podium login` with a name and a password, against a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from podium.client import Podium
from podium.errors import NotAuthenticated
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import Installation, serving

PASSWORD = " correct horse battery "


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with serving(tmp_path_factory.mktemp("server"), "--no-worker") as installation:
        organizer = installation.organizer()
        made = organizer.connection.json("POST", "/api/v1/admin/invites", json={})
        body = {"name": "Ada Lovelace", "password": PASSWORD}
        organizer.connection.close()
        with Podium(installation.url) as anonymous:
            anonymous.connection.json("POST", f"/api/v1/links/{made['code']}", json=body)
        yield installation


def test_a_password_is_exchanged_for_a_token_that_is_kept(
    person: Person, server: Installation
) -> None:
    ran = person.types("login", server.url, "--name", "ada lovelace", stdin=PASSWORD + "\n")
    assert (ran.code, ran.out) == (0, "")
    assert "as Ada Lovelace" in ran.err
    stored = json.loads((person.home / "config/podium/login.json").read_text())
    assert len(stored["token"]) == 43
    assert PASSWORD.strip() not in json.dumps(stored)
    assert person.types("submissions", "nowhere").code == 2


def test_a_login_at_another_address_says_which_one_it_replaces(
    person: Person, server: Installation
) -> None:
    account = ("--name", "Ada Lovelace")
    assert person.types("login", server.url, *account, stdin=PASSWORD).code == 0
    again = person.types("login", server.url, *account, stdin=PASSWORD)
    assert again.err == f"Signed in at {server.url} as Ada Lovelace.\n"
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    other = person.types("login", elsewhere, *account, stdin=PASSWORD)
    assert f"took the place of the one at {server.url}. `podium --profile NAME" in other.err


def test_signing_out_revokes_the_token_that_the_password_made(
    person: Person, server: Installation
) -> None:
    assert person.types("login", server.url, "--name", "Ada Lovelace", stdin=PASSWORD).code == 0
    token = json.loads((person.home / "config/podium/login.json").read_text())["token"]
    ran = person.types("logout")
    assert ran.err == f"Signed out of {server.url}. Its token was revoked.\n"
    assert not (person.home / "config/podium/login.json").exists()
    with Podium(server.url, token) as former, pytest.raises(NotAuthenticated):
        former.me()


def test_a_wrong_password_is_no_login(person: Person, server: Installation) -> None:
    ran = person.types("login", server.url, "--name", "Ada Lovelace", stdin="wrong wrong\n")
    assert ran.code == 5
    assert "name or the password is wrong" in ran.err
    assert not (person.home / "config/podium/login.json").exists()


def test_an_empty_token_is_none(person: Person, server: Installation) -> None:
    ran = person.types("login", server.url, stdin="\n")
    assert (ran.code, ran.err) == (
        2,
        "No token was given. An organizer or your account page has one.\n",
    )


def test_a_page_of_a_competition_that_is_not_there_stores_nothing(
    person: Person, server: Installation
) -> None:
    page = f"{server.url}/competitions/nowhere"
    ran = person.types("login", page, "--name", "Ada Lovelace", stdin=PASSWORD)
    assert ran.code == 2
    assert ran.err == (
        f"There is no competition nowhere at {server.url}, or you may not see it. Nothing was"
        f" stored. `podium login {server.url}` signs in without one.\n"
    )
    assert not (person.home / "config/podium/login.json").exists()


def test_a_profile_that_is_not_there_is_named(person: Person) -> None:
    ran = person.types("--profile", "boss", "whoami")
    assert ran.code == 2
    assert ran.err.startswith("There is no profile boss. `podium --profile boss login ADDRESS`")
    # Making it may fail of something else, which is what is told then.
    away = person.types("--profile", "boss", "login", "http://127.0.0.1:9", stdin="a token\n")
    assert away.code == 4
    assert away.err.startswith("http://127.0.0.1:9 does not answer"), away.err


@pytest.mark.parametrize(
    ("url", "is_warned"),
    [
        ("http://podium.invalid", True),
        ("https://podium.invalid", False),
        ("http://127.0.0.1:9", False),
        ("http://localhost:9", False),
    ],
)
def test_plain_http_to_elsewhere_is_warned_of(person: Person, url: str, is_warned: bool) -> None:
    ran = person.types("whoami", PODIUM_URL=url, PODIUM_TOKEN="a-token")
    assert ran.code == 4, ran.err
    assert ("others can read your token" in ran.err) is is_warned
    assert ran.out == ""
