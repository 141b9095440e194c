"""All that a token made ends with it: tokens, browsers, a first password."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from podium.accounts import queries as account_queries
from podium.accounts.service.descent import end_tokens
from podium.core import locks
from podium.core.database.engine import database_now
from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Browser
from tests.builders.servers.in_process import TestClient
from tests.builders.tokens import GOOD, LATER, SOON, further, listed, sign_in, works


def test_a_token_lives_no_longer_than_the_one_that_made_it(
    installation_on_both: Installation,
) -> None:
    ada = installation_on_both.person("ada")
    short = further(ada, expires_at=SOON)
    for wanted in ({}, {"expires_at": LATER}):
        assert short.post("/me/tokens", json=wanted).json()["expires_at"] == SOON
    earlier = "2998-01-01T00:00:00Z"
    assert short.post("/me/tokens", json={"expires_at": earlier}).json()["expires_at"] == earlier
    assert ada.post("/me/tokens", json={}).json()["expires_at"] is None


def test_a_revoked_token_takes_along_what_it_made_and_what_that_made(
    installation_on_both: Installation,
) -> None:
    ada = installation_on_both.person("ada")
    leaked, other = further(ada, label="leaked"), further(ada, label="other")
    child = further(leaked, label="child")
    grandchild = further(child, label="grandchild")
    assert listed(ada, "grandchild")["made_by"] == child.id
    assert ada.delete(f"/me/tokens/{leaked.id}").status_code == 204
    assert [works(each) for each in (leaked, child, grandchild)] == [False] * 3
    assert works(other)
    assert works(ada)
    assert [t["label"] for t in ada.get("/me/tokens").json()["items"]] == ["first token", "other"]


def test_what_a_browser_made_that_began_with_a_token_ends_with_that_token(
    installation: Installation,
) -> None:
    ada = installation.person("ada")
    leaked = further(ada, expires_at=SOON)
    thief = Browser(installation.client.app)
    thief.sign_in(str(leaked.token))
    headers = {"Origin": thief.origin}
    made = thief.client.post("/api/v1/me/tokens", json={}, headers=headers).json()
    assert made["expires_at"] == SOON
    assert ada.delete(f"/me/tokens/{leaked.id}").status_code == 204
    assert not works(Person(installation.client, made["token"]))


def test_a_first_password_ends_with_the_token_that_set_it(
    installation_on_both: Installation,
) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    leaked = further(ada, label="leaked")
    assert leaked.put("/me/password", json={"password": GOOD}).status_code == 204
    assert listed(ada, "leaked")["set_password"] is True
    signed = Person(installation.client, sign_in(installation).json()["token"])
    made = further(signed)
    assert ada.delete(f"/me/tokens/{leaked.id}").status_code == 204
    problem_of(sign_in(installation), 401, "wrong-credentials")
    assert not works(signed)
    assert not works(made)
    assert ada.get("/me").json()["has_password"] is False
    assert ada.put("/me/password", json={"password": GOOD}).status_code == 204
    assert sign_in(installation).status_code == 200


def test_a_changed_password_still_ends_with_the_token_that_set_the_first(
    installation: Installation,
) -> None:
    ada = installation.person("ada")
    leaked = further(ada)
    leaked.put("/me/password", json={"password": "another good password"})
    body = {"password": GOOD, "current_password": "another good password"}
    assert leaked.put("/me/password", json=body).status_code == 204
    assert ada.delete(f"/me/tokens/{leaked.id}").status_code == 204
    problem_of(sign_in(installation), 401, "wrong-credentials")


def test_a_password_of_ones_own_outlives_every_token(installation: Installation) -> None:
    code = installation.admin.post("/admin/invites", json={}).json()["code"]
    used = installation.anonymous.post(f"/links/{code}", json={"name": "ada", "password": GOOD})
    ada = Person(installation.client, used.json()["token"])
    first = listed(ada, "first token")
    assert (first["made_by"], first["set_password"]) == (None, False)
    signed = Person(installation.client, sign_in(installation).json()["token"])
    assert ada.delete(f"/me/tokens/{first['id']}").status_code == 204
    assert works(signed)
    assert sign_in(installation).status_code == 200


def test_a_token_that_ends_by_itself_sets_no_first_password(installation: Installation) -> None:
    ada = installation.person("ada")
    short = further(ada, expires_at=SOON)
    answer = short.put("/me/password", json={"password": GOOD})
    problem_of(answer, 403, "token-ends")
    problem_of(sign_in(installation), 401, "wrong-credentials")


@contextmanager
def _while_the_account_is_held(installation: Installation, user_id: str) -> Iterator[Any]:
    """A write transaction that holds the account, as one that resets it does."""
    with installation.application.database.write() as session:
        locks.locked_user(session, user_id)
        yield session


def test_nothing_that_was_asked_for_with_a_token_survives_its_end_meanwhile(
    installation_on_both: Installation,
) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    asked = [
        ("POST", "/me/tokens", {}),
        ("PUT", "/me/password", {"password": GOOD}),
    ]
    answers: list[Any] = []

    def ask(method: str, path: str, body: Any) -> None:
        client = TestClient(installation.client.app)
        answers.append(Person(client, ada.token).send(method, path, json=body))

    threads = [threading.Thread(target=ask, args=each) for each in asked]
    with _while_the_account_is_held(installation, ada.id) as session:
        for thread in threads:
            thread.start()
        # Long enough for them to be let in and to wait; on a slow machine they are refused earlier.
        time.sleep(1.0)
        end_tokens(
            session, account_queries.living_tokens(session, ada.id), now=database_now(session)
        )
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [401, 401]
    problem_of(sign_in(installation), 401, "wrong-credentials")


def test_many_at_once_do_not_pass_the_number_of_tokens(
    installation_on_both: Installation,
) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    for _ in range(47):
        further(ada)
    start = threading.Barrier(8)

    def ask(_: int) -> int:
        start.wait()
        return int(ada.post("/me/tokens", json={}).status_code)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(ask, range(8))) == [201] * 2 + [409] * 6
