"""A token that takes another one's place takes what hangs on it, and none gets more that way."""

from __future__ import annotations

from tests.builders.installation import Installation, Person, problem_of
from tests.builders.page import Browser
from tests.builders.tokens import GOOD, SOON, further, listed, sign_in, works


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
    # A user who knows the password may, and so may the token that made the other one.
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
    answer = installation.anonymous.post(f"/links/{used}", json={"name": "eve"})
    assert answer.status_code == 200
    assert admin.delete(f"/me/tokens/{leaked.id}").status_code == 204
    for link in made[1:4]:
        answer = installation.anonymous.get(f"/links/{link['code']}")
        problem_of(answer, 404, "unknown-link")
    rows = {row["id"]: row for row in admin.get("/admin/invites").json()["items"]}
    ends = [rows[link["id"]]["revoked_at"] is not None for link in made]
    assert ends == [False, True, True, True, False, False]
    for link in made[4:]:
        assert installation.anonymous.get(f"/links/{link['code']}").status_code == 200


def test_links_that_a_token_made_end_with_the_one_that_took_its_place(
    installation: Installation,
) -> None:
    admin = installation.admin
    old = further(admin)
    code = old.post("/admin/invites", json={}).json()["code"]
    new = further(old, replaces=old.id)
    assert installation.anonymous.get(f"/links/{code}").status_code == 200
    admin.delete(f"/me/tokens/{new.id}")
    problem_of(installation.anonymous.get(f"/links/{code}"), 404, "unknown-link")


def test_an_account_that_made_links_with_its_token_can_be_deleted(
    installation_on_both: Installation,
) -> None:
    ada = installation_on_both.person("ada", organizer=True)
    assert ada.post("/admin/invites", json={}).status_code == 201
    assert ada.delete(f"/admin/users/{ada.id}", json={"confirm": "ada"}).status_code == 204
