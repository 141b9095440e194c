"""Whatever a token made ends with it: tokens, browsers, a first password."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient

from app.db.engine import database_now
from app.db.queries import accounts as queries
from tests.functional.api.installation import Installation, Person, problem_of
from tests.functional.pages.page import Browser

GOOD = "correct horse battery"

SOON, LATER = "2999-01-01T00:00:00Z", "2999-06-01T00:00:00Z"


def further(person: Person, **body: Any) -> Person:
    """The same person with a token that this one made."""
    answer = person.post("/me/tokens", json=body)
    assert answer.status_code == 201, answer.text
    return Person(person.client, answer.json()["token"], answer.json()["id"])


def works(person: Person) -> bool:
    status = person.get("/me").status_code
    assert status in (200, 401)
    return bool(status == 200)


def listed(person: Person, label: str) -> Any:
    return next(t for t in person.get("/me/tokens").json()["items"] if t["label"] == label)


def sign_in(installation: Installation, name: str = "ada") -> Any:
    return installation.nobody.post("/sign-in", json={"name": name, "password": GOOD})


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
    used = installation.nobody.post(f"/links/{code}", json={"name": "ada", "password": GOOD})
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


def test_a_token_is_rotated_in_one_act(installation_on_both: Installation) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    old = further(ada, label="laptop", expires_at=SOON)
    child = further(old)
    answer = old.post("/me/tokens", json={"replaces": old.id})
    assert answer.status_code == 201, answer.text
    new = Person(installation.client, answer.json()["token"])
    assert (answer.json()["label"], answer.json()["expires_at"]) == ("laptop", SOON)
    assert works(new)
    assert not works(old)
    assert works(child)
    kept = listed(ada, "laptop")
    assert ada.delete(f"/me/tokens/{listed(ada, 'first token')['id']}").status_code == 204
    assert kept["made_by"] is not None
    assert not works(new)
    assert not works(child)


def test_what_hung_on_a_token_hangs_on_the_one_that_takes_its_place(
    installation_on_both: Installation,
) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    first = listed(ada, "first token")["id"]
    ada.put("/me/password", json={"password": GOOD})
    child, browser = further(ada, label="child"), Browser(installation.client.app)
    browser.sign_in(str(ada.token))
    new = further(ada, replaces=first)
    assert not works(ada)
    assert works(child)
    assert browser.get("/account").status_code == 200
    assert (listed(new, "first token")["set_password"], listed(new, "child")["made_by"]) == (
        True,
        new.id,
    )
    thief = {"password": "a thief's own choice"}
    problem_of(new.put("/me/password", json=thief), 403, "password-needed")
    assert sign_in(installation).status_code == 200
    answer = new.post("/me/tokens", json={"replaces": new.id, "expires_at": SOON})
    problem_of(answer, 403, "token-ends")
    assert new.delete(f"/me/tokens/{new.id}").status_code == 204
    assert [works(each) for each in (new, child)] == [False, False]
    assert browser.get("/account").status_code != 200
    problem_of(sign_in(installation), 401, "wrong-credentials")


def test_what_a_token_made_ends_no_later_than_the_one_that_takes_its_place(
    installation: Installation,
) -> None:
    ada = installation.person("ada")
    old = further(ada, label="old")
    child = further(old, label="child")
    further(child, label="grandchild")
    further(old, replaces=old.id, expires_at=SOON)
    ends = [listed(ada, label)["expires_at"] for label in ("old", "child", "grandchild")]
    assert ends == [SOON] * 3
    assert listed(ada, "first token")["expires_at"] is None


def test_no_token_removes_a_password_that_another_one_set(
    installation_on_both: Installation,
) -> None:
    installation = installation_on_both
    ada = installation.person("ada")
    owner, stolen = further(ada, label="owner"), further(ada, label="stolen")
    assert owner.put("/me/password", json={"password": GOOD}).status_code == 204
    refused = problem_of(stolen.delete(f"/me/tokens/{owner.id}"), 403, "password-needed")
    assert "password" in refused["detail"]
    assert works(owner)
    signed = Person(installation.client, sign_in(installation).json()["token"])
    # Whoever knows the password may, and so may the token that made the other one.
    assert signed.delete(f"/me/tokens/{owner.id}").status_code == 204
    assert not works(signed)
    assert works(stolen)


def test_no_token_takes_the_label_of_those_that_the_service_ends(
    installation: Installation,
) -> None:
    ada = installation.person("ada")
    for label in ("sign-in", "PODIUM_ADMIN_TOKEN"):
        problem_of(ada.post("/me/tokens", json={"label": label}), 422, "bad-label")


def test_a_token_can_be_replaced_where_there_are_as_many_as_there_may_be(
    installation: Installation,
) -> None:
    ada = installation.person("ada")
    for _ in range(49):
        last = further(ada)
    problem_of(ada.post("/me/tokens", json={}), 409, "too-many-tokens")
    assert ada.post("/me/tokens", json={"replaces": last.id}).status_code == 201


def test_no_token_takes_the_place_of_one_that_may_do_more(installation: Installation) -> None:
    ada, eve = installation.person("ada"), installation.person("eve")
    short, other = further(ada, expires_at=SOON), further(ada, label="other")
    first = listed(ada, "first token")["id"]
    for wider in (first, other.id):
        problem_of(short.post("/me/tokens", json={"replaces": wider}), 403, "wider-token")
    for unknown in (eve.get("/me/tokens").json()["items"][0]["id"], "nothing"):
        problem_of(ada.post("/me/tokens", json={"replaces": unknown}), 404, "not-found")
    assert works(ada)
    assert works(other)


@contextmanager
def _while_the_account_is_held(installation: Installation, user_id: str) -> Iterator[Any]:
    """A write transaction that holds the account, as one that resets it does."""
    with installation.application.database.write() as session:
        queries.locked_user(session, user_id)
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
        queries.revoke_tokens(session, user_id=ada.id, now=database_now(session))
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


def test_links_that_a_token_made_end_with_it(installation_on_both: Installation) -> None:
    installation = installation_on_both
    admin, ada = installation.admin, installation.person("ada")
    leaked, kept = further(admin, label="leaked"), further(admin, label="kept")
    made = [
        each.post(path, json=body).json()
        for each in (leaked, further(leaked), kept)
        for path, body in (
            ("/admin/invites", {"organizer": True}),
            (f"/admin/users/{ada.id}/reset-link", {}),
        )
    ]
    used = made[0]["code"]
    answer = installation.nobody.post(f"/links/{used}", json={"name": "eve"})
    assert answer.status_code == 200
    assert admin.delete(f"/me/tokens/{leaked.id}").status_code == 204
    for link in made[1:4]:
        answer = installation.nobody.get(f"/links/{link['code']}")
        problem_of(answer, 404, "unknown-link")
    rows = {row["id"]: row for row in admin.get("/admin/invites").json()["items"]}
    ends = [rows[link["id"]]["revoked_at"] is not None for link in made]
    assert ends == [False, True, True, True, False, False]
    for link in made[4:]:
        assert installation.nobody.get(f"/links/{link['code']}").status_code == 200


def test_links_that_a_token_made_end_with_the_one_that_took_its_place(
    installation: Installation,
) -> None:
    admin = installation.admin
    old = further(admin)
    code = old.post("/admin/invites", json={}).json()["code"]
    new = further(old, replaces=old.id)
    assert installation.nobody.get(f"/links/{code}").status_code == 200
    admin.delete(f"/me/tokens/{new.id}")
    problem_of(installation.nobody.get(f"/links/{code}"), 404, "unknown-link")


def test_an_account_that_made_links_with_its_token_can_be_deleted(
    installation_on_both: Installation,
) -> None:
    ada = installation_on_both.person("ada", organizer=True)
    assert ada.post("/admin/invites", json={}).status_code == 201
    assert ada.delete(f"/admin/users/{ada.id}", json={"confirm": "ada"}).status_code == 204
