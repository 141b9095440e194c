"""`podium login` with a name and a password, against a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from podium.client import Podium
from podium.errors import NotAuthenticated
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import ADMIN_TOKEN, Installation, serving

pytestmark = pytest.mark.xdist_group("login")

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


def revoke(person: Person, name: str) -> None:
    """Revokes the token of a stored login, which stays stored."""
    (login,) = person.home.rglob(f"{name}.json")
    stored = json.loads(login.read_text())
    with Podium(stored["url"], stored["token"]) as podium:
        podium.revoke_token(stored["token_id"])


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
    assert f"Replaces the login at {server.url}. `podium --profile NAME login" in other.err


def test_a_login_of_another_account_says_whose_it_replaces(
    person: Person, server: Installation
) -> None:
    assert person.types("login", server.url, stdin=ADMIN_TOKEN).code == 0
    ran = person.types("login", server.url, "--name", "Ada Lovelace", stdin=PASSWORD)
    with server.organizer() as organizer:
        assert f"Replaces the login of {organizer.me()['name']}. `podium" in ran.err, ran.err


def test_a_token_that_was_revoked_is_replaced_with_the_profile_that_held_it(
    person: Person, server: Installation
) -> None:
    account = ("login", server.url, "--name", "Ada Lovelace")
    assert person.types("--profile", "rev", *account, stdin=PASSWORD).code == 0
    revoke(person, "rev")
    ran = person.types("--profile", "rev", "limits", "shop")
    assert ran.code == 5
    assert f"Run `podium --profile rev login {server.url}` with a new one." in ran.err


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


def test_signing_out_says_of_a_revoked_token_that_it_was_one(
    person: Person, server: Installation
) -> None:
    assert person.types("login", server.url, "--name", "Ada Lovelace", stdin=PASSWORD).code == 0
    revoke(person, "login")
    ran = person.types("logout")
    assert ran.err == f"Signed out of {server.url}. Its token was not valid any more.\n"


def test_a_login_that_cannot_be_stored_says_how_to_do_without(
    person: Person, server: Installation
) -> None:
    (person.home / "config").write_text("This is not a folder.")
    ran = person.types("login", server.url, "--name", "Ada Lovelace", stdin=PASSWORD)
    assert (ran.code, "Errno" in ran.err, "Name another place" in ran.err) == (2, False, False)
    assert "Without a stored login, set PODIUM_URL and PODIUM_TOKEN." in ran.err


def completed(person: Person, line: str, **environment: str) -> list[str]:
    """The words that a shell suggests behind the beginning of a line."""
    asked = {
        "_PODIUM_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_ARGS": line,
    }
    ran = person.types(**asked, **environment)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.split()


def test_a_shell_completes_competitions_presets_metrics_and_profiles(
    person: Person, server: Installation
) -> None:
    account = ("--name", "Ada Lovelace")
    made = person.types("--profile", "work", "login", server.url, *account, stdin=PASSWORD)
    assert made.code == 0
    with server.organizer() as organizer:
        organizer.create_competition("shelves", "Shelves", preset="otto")
    assert completed(person, "podium --profile ") == ["work"]
    here = server.as_administrator
    assert completed(person, "podium launch sh", **here) == ["shelves"]
    assert completed(person, "podium team show -c sh", **here) == ["shelves"]
    away = {**here, "PODIUM_URL": "http://127.0.0.1:1"}
    assert completed(person, "podium launch sh", **away) == []
    unsendable = {**here, "PODIUM_TOKEN": "é"}
    assert completed(person, "podium launch sh", **unsendable) == []
    assert completed(person, "podium score --preset otto") == ["otto", "otto-clicks"]
    assert completed(person, "podium score --metric ndcg@") == ["ndcg@10", "ndcg@20"]
    # Without a login there are no competitions, and it is not an error.
    assert completed(person, "podium leaderboard ") == []


def test_a_wrong_password_is_no_login(person: Person, server: Installation) -> None:
    ran = person.types("login", server.url, "--name", "Ada Lovelace", stdin="wrong wrong\n")
    assert ran.code == 5
    assert "name or the password is wrong" in ran.err
    assert not (person.home / "config/podium/login.json").exists()


def test_no_secret_is_asked_for_where_no_server_answers(person: Person) -> None:
    ran = person.types("login", "http://127.0.0.1:9", stdin="\n")
    assert (ran.code, "http://127.0.0.1:9 does not answer" in ran.err) == (4, True), ran.err


def test_an_empty_token_is_none(person: Person, server: Installation) -> None:
    ran = person.types("login", server.url, stdin="\n")
    assert (ran.code, ran.err) == (
        2,
        "No token was given. An organizer or your account page has one.\n",
    )


def test_a_token_that_no_request_can_carry_is_refused(person: Person, server: Installation) -> None:
    ran = person.types("login", server.url, stdin="é\n")
    assert (ran.code, "What was given has characters that no token has." in ran.err) == (2, True)
    ran = person.types("whoami", PODIUM_URL=server.url, PODIUM_TOKEN="é")
    assert (ran.code, "PODIUM_TOKEN has characters that no token has." in ran.err) == (2, True)
    ran = person.types("login", "http://127.0.0.1:1", stdin="token", PODIUM_TOKEN="é")
    told = "http://127.0.0.1:1 does not answer: no program listens there.\n"
    assert (ran.code, ran.err) == (4, told)


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
