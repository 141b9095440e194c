"""One-time links: a user signs up, or gets new credentials, once."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from podium.core.database.engine import database_now
from podium.core.models import AccessLink
from tests.builders.installation import Installation, Person, problem_of

GOOD = "correct horse battery"


def invite(person: Person, **body: Any) -> Any:
    answer = person.post("/admin/invites", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def use(installation: Installation, code: str, **body: Any) -> Any:
    return installation.anonymous.post(f"/links/{code}", json=body)


def test_a_link_makes_an_account_once(installation_on_both: Installation) -> None:
    made = invite(installation_on_both.admin, note="for Ada")
    assert made["address"] == f"/links/{made['code']}"
    looked = installation_on_both.anonymous.get(f"/links/{made['code']}")
    assert (looked.status_code, looked.json()["kind"]) == (200, "invite")
    used = use(installation_on_both, made["code"], name="Ada", password=GOOD)
    assert used.status_code == 200
    assert used.json()["account"]["name"] == "Ada"
    me = Person(installation_on_both.client, used.json()["token"]).get("/me").json()
    assert (me["name"], me["organizer"]) == ("Ada", False)
    signed = installation_on_both.anonymous.post("/sign-in", json={"name": "ada", "password": GOOD})
    assert signed.status_code == 200
    problem_of(use(installation_on_both, made["code"], name="Eve"), 404, "unknown-link")
    problem_of(installation_on_both.anonymous.get(f"/links/{made['code']}"), 404, "unknown-link")


def test_a_link_that_twenty_use_at_once_makes_one_account(
    installation_on_both: Installation,
) -> None:
    code = invite(installation_on_both.admin)["code"]
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda n: use(installation_on_both, code, name=f"user {n}x"), range(20))
        )
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 19
    assert len(installation_on_both.admin.get("/admin/users").json()["items"]) == 2


def test_a_refused_use_leaves_the_link_working(installation: Installation) -> None:
    installation.person("Ada")
    code = invite(installation.admin)["code"]
    problem_of(use(installation, code), 422, "name-missing")
    problem_of(use(installation, code, name="аda"), 409, "name-taken")
    problem_of(use(installation, code, name="\u202e"), 422, "bad-name")
    problem_of(use(installation, code, name="Bob", password="short"), 422, "bad-password")
    problem_of(use(installation, code, name="Bob", organizer=True), 422, "invalid")
    assert use(installation, code, name="Bob").status_code == 200


def test_codes_are_kept_as_hashes_and_listed_nowhere(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    code = invite(installation.admin)["code"]
    assert len(code) >= 43
    with installation.application.database.read() as session:
        assert session.query(AccessLink).one().sha256 == hashlib.sha256(code.encode()).hexdigest()
    use(installation, code + "x", name="Eve")
    use(installation, code, name="Ada")
    for path in ("/admin/invites", "/admin/audit"):
        assert code not in installation.admin.get(path).text
    assert code not in "".join(capsys.readouterr())


@pytest.mark.parametrize("end", ["expired", "revoked", "disabled maker"])
def test_a_link_that_has_ended_is_like_one_that_never_was(
    installation: Installation, end: str
) -> None:
    grace = installation.person("grace", organizer=True)
    made = invite(grace)
    if end == "expired":
        with installation.application.database.write() as session:
            now = database_now(session)
            session.query(AccessLink).update({"expires_at": now - timedelta(seconds=1)})
    elif end == "revoked":
        assert grace.delete(f"/admin/invites/{made['id']}").status_code == 204
    else:
        installation.admin.patch(f"/admin/users/{grace.id}", json={"disabled": True})
    state = installation.admin.get("/admin/invites").json()["items"][0]["state"]
    assert state == ("open" if end == "disabled maker" else end)
    never = problem_of(installation.anonymous.get("/links/never-made"), 404, "unknown-link")
    for answer in (
        installation.anonymous.get(f"/links/{made['code']}"),
        use(installation, made["code"], name="Ada"),
    ):
        ended = problem_of(answer, 404, "unknown-link")
        assert ended | {"request_id": ""} == never | {"request_id": ""}


def test_a_link_leads_into_a_private_competition_with_a_team_of_ones_own(
    installation: Installation,
) -> None:
    installation.launched(visibility="private", registration="invite")
    code = invite(installation.admin, competition="otto")["code"]
    used = use(installation, code, name="Ada").json()
    assert (used["competition"], used["team"]["name"]) == ("otto", "Ada")
    ada = Person(installation.client, used["token"])
    assert ada.get("/competitions/otto/team").json()["members"][0]["name"] == "Ada"


def test_a_link_leads_into_a_team_and_no_further_than_its_size(installation: Installation) -> None:
    installation.launched(team_size=2)
    ada = installation.person("ada")
    team = ada.post("/competitions/otto/teams", json={"name": "Team Ada"}).json()
    codes = [
        invite(installation.admin, competition="otto", team_id=team["id"])["code"]
        for _ in range(20)
    ]
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda n: use(installation, codes[n], name=f"user {n}x"), range(20))
        )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert len(ada.get("/competitions/otto/team").json()["members"]) == 2
    assert len(installation.admin.get("/admin/users").json()["items"]) == 3


def test_a_user_with_an_account_takes_an_invitation_with_its_token(
    installation: Installation,
) -> None:
    installation.launched(visibility="private")
    bob = installation.person("bob")
    code = invite(installation.admin, competition="otto")["code"]
    problem_of(bob.post(f"/links/{code}", json={"name": "second"}), 422, "account-given")
    used = bob.post(f"/links/{code}").json()
    assert (used["account"]["id"], used["token"]) == (bob.id, None)
    assert bob.get("/competitions/otto").status_code == 200


def test_organizers_invite_co_organizers_of_their_own_competitions_only(
    installation: Installation,
) -> None:
    installation.draft("otto")
    grace = installation.person("grace", organizer=True)
    problem_of(grace.post("/admin/invites", json={"organizer": True}), 403, "not-allowed")
    answer = grace.post("/admin/invites", json={"competition": "otto", "organizer": True})
    problem_of(answer, 404, "not-found")
    installation.admin.post("/admin/competitions/otto/organizers", json={"user_id": grace.id})
    code = invite(grace, competition="otto", organizer=True)["code"]
    late = invite(grace, competition="otto", organizer=True)["code"]
    ada = Person(installation.client, use(installation, code, name="Ada").json()["token"])
    assert ada.get("/competitions/otto").json()["phase"] == "draft"
    assert ada.get("/me").json()["organizer"] is False
    installation.admin.delete(f"/admin/competitions/otto/organizers/{grace.id}")
    problem_of(use(installation, late, name="Eve"), 404, "unknown-link")


def test_strangers_neither_make_nor_see_nor_revoke_links(installation: Installation) -> None:
    made = invite(installation.admin)
    ada, grace = installation.person("ada"), installation.person("grace", organizer=True)
    for method, path in (
        ("POST", "/admin/invites"),
        ("GET", "/admin/invites"),
        ("DELETE", f"/admin/invites/{made['id']}"),
        ("POST", f"/admin/users/{ada.id}/reset-link"),
    ):
        body: dict[str, object] = {"json": {}} if method == "POST" else {}
        problem_of(ada.send(method, path, **body), 403, "not-allowed")
    assert grace.get("/admin/invites").json()["items"] == []
    problem_of(grace.delete(f"/admin/invites/{made['id']}"), 404, "not-found")
    problem_of(grace.post(f"/admin/users/{ada.id}/reset-link"), 403, "not-allowed")
    listed = installation.admin.get("/admin/invites").json()["items"]
    assert [row["id"] for row in listed] == [made["id"]]


def test_a_reset_ends_all_old_credentials_and_gives_new_ones(
    installation_on_both: Installation,
) -> None:
    ada = installation_on_both.person("ada")
    ada.put("/me/password", json={"password": GOOD})
    more = ada.post("/me/tokens").json()["token"]
    made = installation_on_both.admin.post(f"/admin/users/{ada.id}/reset-link").json()
    assert ada.get("/me").status_code == 200
    looked = installation_on_both.anonymous.get(f"/links/{made['code']}").json()
    assert (looked["kind"], looked["account"]) == ("reset", "ada")
    used = use(installation_on_both, made["code"], password="another good password").json()
    for token in (ada.token, more):
        assert Person(installation_on_both.client, token).get("/me").status_code == 401
    me = Person(installation_on_both.client, used["token"]).get("/me").json()
    assert (me["id"], me["name"]) == (ada.id, "ada")
    for password, status in ((GOOD, 401), ("another good password", 200)):
        body = {"name": "ada", "password": password}
        assert installation_on_both.anonymous.post("/sign-in", json=body).status_code == status


def test_a_reset_without_a_password_removes_the_old_one(installation: Installation) -> None:
    ada = installation.person("ada")
    ada.put("/me/password", json={"password": GOOD})
    code = installation.admin.post(f"/admin/users/{ada.id}/reset-link").json()["code"]
    assert use(installation, code).status_code == 200
    body = {"name": "ada", "password": GOOD}
    assert installation.anonymous.post("/sign-in", json=body).status_code == 401


def test_the_administrators_own_credentials_are_the_operators(installation: Installation) -> None:
    own = installation.admin.get("/me").json()["id"]
    answer = installation.admin.post(f"/admin/users/{own}/reset-link")
    problem_of(answer, 409, "administrator")


@pytest.mark.parametrize("end", ["2020-01-01T00:00:00Z", "2040-01-01T00:00:00Z"])
def test_an_end_in_the_past_or_far_away_is_422(installation: Installation, end: str) -> None:
    answer = installation.admin.post("/admin/invites", json={"expires_at": end})
    problem_of(answer, 422, "bad-date")


def test_answers_about_links_are_never_cached(installation: Installation) -> None:
    code = invite(installation.admin)["code"]
    for path in (f"/api/v1/links/{code}", f"/links/{code}", "/links/unknown"):
        headers = installation.client.get(path).headers
        assert headers["cache-control"] == "no-store"
        told = "no-referrer" if path.startswith("/api/") else "strict-origin"
        assert headers["referrer-policy"] == told


def test_a_link_ends_with_the_right_to_make_it(installation: Installation) -> None:
    grace = installation.person("grace", organizer=True)
    installation.draft("shop")
    path = "/admin/competitions/shop/organizers"
    assert installation.admin.post(path, json={"user_id": grace.id}).status_code == 201
    codes = [invite(grace)["code"], invite(grace, competition="shop", organizer=True)["code"]]
    change = f"/admin/users/{grace.id}"
    assert installation.admin.patch(change, json={"organizer": False}).status_code == 200
    # A user who still organizes one competition may make accounts, and no longer.
    assert installation.anonymous.get(f"/links/{codes[0]}").status_code == 200
    assert installation.admin.delete(f"{path}/{grace.id}").status_code == 204
    for code in codes:
        problem_of(installation.anonymous.get(f"/links/{code}"), 404, "unknown-link")
        problem_of(use(installation, code, name="Eve"), 404, "unknown-link")
    assert len(installation.admin.get("/admin/users").json()["items"]) == 2
    assert installation.admin.patch(change, json={"organizer": True}).status_code == 200
    assert use(installation, codes[0], name="Eve").status_code == 200
