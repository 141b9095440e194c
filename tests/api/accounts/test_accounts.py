"""Accounts: made by those who may, with names that cannot be confused."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from podium.core.models import AccessToken, User
from tests.builders.installation import Installation, Person, problem_of


def test_a_new_account_works_with_the_token_that_is_shown_once(
    installation_on_both: Installation,
) -> None:
    answer = installation_on_both.admin.post("/admin/users", json={"name": "ada"})
    assert answer.status_code == 201
    ada = Person(installation_on_both.client, answer.json()["token"])

    me = ada.get("/me").json()

    assert me["name"] == "ada"
    assert me["organizer"] is False
    assert me["administrator"] is False
    assert me["teams"] == []
    assert "token" not in installation_on_both.admin.get(f"/admin/users/{me['id']}").json()


def test_tokens_have_at_least_256_bits(installation: Installation) -> None:
    token = installation.admin.post("/admin/users", json={"name": "ada"}).json()["token"]
    assert len(token) >= 43


@pytest.mark.parametrize("sent", ["unknown", "Bearer", "", "x" * 5000])
def test_a_wrong_token_is_401_with_one_text(installation: Installation, sent: str) -> None:
    answer = installation.client.get("/api/v1/me", headers={"Authorization": f"Bearer {sent}"})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_no_token_is_401(installation: Installation) -> None:
    answer = installation.anonymous.get("/me")
    problem_of(answer, 401, "not-authenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_in_the_query_is_not_taken(installation: Installation) -> None:
    ada = installation.person("ada")
    answer = installation.anonymous.get(f"/me?token={ada.token}&access_token={ada.token}")
    problem_of(answer, 401, "not-authenticated")


def test_unknown_revoked_expired_and_disabled_look_the_same(
    installation_on_both: Installation,
) -> None:
    ada, eve = installation_on_both.person("ada"), installation_on_both.person("eve")
    revoked = ada.post("/me/tokens", json={"label": "old"}).json()
    assert ada.delete(f"/me/tokens/{revoked['id']}").status_code == 204
    installation_on_both.admin.patch(f"/admin/users/{eve.id}", json={"disabled": True})

    problems = []
    for token in ("never-made", revoked["token"], eve.token):
        problem = problem_of(
            Person(installation_on_both.client, token).get("/me"), 401, "not-authenticated"
        )
        del problem["request_id"]
        problems.append(problem)

    assert problems[0] == problems[1] == problems[2]
    assert ada.get("/me").status_code == 200


def test_a_disabled_account_can_be_enabled_again(installation: Installation) -> None:
    eve = installation.person("eve")
    installation.admin.patch(f"/admin/users/{eve.id}", json={"disabled": True})
    assert eve.get("/me").status_code == 401
    installation.admin.patch(f"/admin/users/{eve.id}", json={"disabled": False})
    assert eve.get("/me").status_code == 200


def test_the_administrator_cannot_lock_himself_out(installation: Installation) -> None:
    own = installation.admin.get("/me").json()["id"]
    answer = installation.admin.patch(f"/admin/users/{own}", json={"disabled": True})
    problem_of(answer, 409, "administrator")


def test_participants_neither_make_nor_see_accounts(installation: Installation) -> None:
    ada = installation.person("ada")
    problem_of(ada.post("/admin/users", json={"name": "eve"}), 403, "not-allowed")
    problem_of(ada.get("/admin/users"), 403, "not-allowed")
    problem_of(ada.get(f"/admin/users/{ada.id}"), 403, "not-allowed")
    problem_of(ada.patch(f"/admin/users/{ada.id}", json={"organizer": True}), 403, "not-allowed")
    problem_of(installation.anonymous.get("/admin/users"), 401, "not-authenticated")


def test_organizers_make_participants_but_no_organizers(installation: Installation) -> None:
    grace = installation.person("grace", organizer=True)
    assert grace.post("/admin/users", json={"name": "ada"}).status_code == 201
    answer = grace.post("/admin/users", json={"name": "eve", "organizer": True})
    problem_of(answer, 403, "not-allowed")
    problem_of(grace.patch(f"/admin/users/{grace.id}", json={"name": "x"}), 403, "not-allowed")


def test_a_co_organizer_of_one_competition_may_make_accounts(installation: Installation) -> None:
    installation.draft("otto")
    ada = installation.person("ada")
    installation.admin.post("/admin/competitions/otto/organizers", json={"user_id": ada.id})
    assert ada.post("/admin/users", json={"name": "eve"}).status_code == 201


def test_a_name_that_looks_like_anothers_is_409(installation: Installation) -> None:
    installation.person("Ada")
    for rival in ("ada", "ADA", " Ada ", "Αda", "аda", "ädа", "ada\u00a0", "A d a", "ａｄａ"):
        answer = installation.admin.post("/admin/users", json={"name": rival})
        problem_of(answer, 409, "name-taken")


@pytest.mark.parametrize(
    ("name", "rivals"),
    [
        ("paypal", ["\u0440\u0430\u0443\u0440\u0430l", "\u13e2aypal", "pаypa\uff29"]),
        ("modern", ["rnodern", "mode\u1d26n", "\U0001d4dcODERN"]),
        ("Team Ada", ["TE\u13aaM \u13aaDA", "te\u13aam ada"]),
        ("Podium", ["PODIU\u13b7", "podiu\u13b7"]),
        ("Scope", ["\ua4e2cope", "\U0001d4e2cope", "\u0405cope"]),
        ("B2B", ["\u13f42\u13f4", "\u0392\u01a7\u0392"]),
        ("❤ team", ["\u2764\ufe0f team"]),
    ],
)
def test_a_name_that_looks_like_anothers_in_any_script_is_409(
    installation: Installation, name: str, rivals: list[str]
) -> None:
    ada = installation.person(name)
    installation.launched()
    eve = installation.person("eve")
    assert ada.post("/competitions/otto/teams", json={"name": name}).status_code == 201
    for rival in rivals:
        answer = installation.admin.post("/admin/users", json={"name": rival})
        problem_of(answer, 409, "name-taken")
        renamed = installation.admin.patch(f"/admin/users/{eve.id}", json={"name": rival})
        problem_of(renamed, 409, "name-taken")
        team = eve.post("/competitions/otto/teams", json={"name": rival})
        problem_of(team, 409, "name-taken")
    assert ada.patch("/competitions/otto/team", json={"name": f"{name} "}).status_code == 200
    assert eve.post("/competitions/otto/teams", json={"name": "Eve"}).status_code == 201
    for rival in rivals:
        renamed = eve.patch("/competitions/otto/team", json={"name": rival})
        problem_of(renamed, 409, "name-taken")


def test_the_same_look_is_given_once_however_many_ask(installation_on_both: Installation) -> None:
    names = ["paypal", "\u0440\u0430\u0443\u0440\u0430l", "\u13e2aypal", "pay\u03c1al"]
    start = threading.Barrier(len(names))

    def ask(name: str) -> int:
        start.wait()
        answer = installation_on_both.admin.post("/admin/users", json={"name": name})
        return int(answer.status_code)

    with ThreadPoolExecutor(len(names)) as pool:
        assert sorted(pool.map(ask, names)) == [201] + [409] * (len(names) - 1)


def test_a_name_that_does_not_show_as_it_is_is_422(installation: Installation) -> None:
    hidden = ["\u202eabc", "\u0301", "a\u200bb", "\x1b[31m", "a\x85b", "a\nb", "a\tb"]
    hidden += [f"a{blank}b" for blank in "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\uffa0"]
    hidden += ["a\ufe00b", "a\U000e0100b", "a\u1680b", "\u2800", "\ufe0f", "a\u2060b", "\U000e0041"]
    for name in ("", "   ", "x" * 65, "a" * 10_000, *hidden):
        answer = installation.admin.post("/admin/users", json={"name": name})
        problem_of(answer, 422, "bad-name")


def test_other_names_are_kept_as_they_are(installation_on_both: Installation) -> None:
    for name in ("x", "x" * 64, "Ada Lovelace", "🚀", "=cmd|", "<script>", "李", "' OR 1=1--"):
        answer = installation_on_both.admin.post("/admin/users", json={"name": name})
        assert answer.status_code == 201
        assert answer.json()["name"] == name


def test_renaming_to_anothers_name_is_409_and_changes_nothing(
    installation_on_both: Installation,
) -> None:
    installation_on_both.person("ada")
    eve = installation_on_both.person("eve")
    answer = installation_on_both.admin.patch(
        f"/admin/users/{eve.id}", json={"name": "ADA", "organizer": True}
    )
    problem_of(answer, 409, "name-taken")
    kept = installation_on_both.admin.get(f"/admin/users/{eve.id}").json()
    assert (kept["name"], kept["organizer"]) == ("eve", False)


def test_no_column_can_be_set_beside_the_named_ones(installation: Installation) -> None:
    columns = set(User.__table__.columns.keys()) | set(AccessToken.__table__.columns.keys())
    for column in sorted((columns | {"administrator", "score", "team_id"}) - {"name"}):
        body = {"name": "eve", column: True}
        problem_of(installation.admin.post("/admin/users", json=body), 422, "invalid")
    names = [user["name"] for user in installation.admin.get("/admin/users").json()["items"]]
    assert names == ["administrator"]


def test_an_unknown_account_is_404(installation_on_both: Installation) -> None:
    for user_id in ("no-such-id", "0" * 36, "x" * 2000, "' OR 1=1--"):
        answer = installation_on_both.admin.get(f"/admin/users/{user_id}")
        problem_of(answer, 404, "not-found")


def test_accounts_are_listed_in_pages(installation_on_both: Installation) -> None:
    for number in range(5):
        installation_on_both.person(f"user {number + 2}")
    names, path = [], "/admin/users?limit=2"
    while path:
        answer = installation_on_both.admin.get(path)
        page = answer.json()
        names += [user["name"] for user in page["items"]]
        assert ("next" in answer.links) == (page["next_cursor"] is not None)
        path = answer.links["next"]["url"].split("/api/v1")[1] if "next" in answer.links else ""
    assert names == ["administrator", *(f"user {number + 2}" for number in range(5))]


def test_a_cursor_or_limit_that_is_not_ours_is_422(installation_on_both: Installation) -> None:
    ours = ("limit=0", "limit=1001", "limit=x", "cursor=x", "cursor=WzFd", "cursor=WyJhIiwiYiJd")
    for query in (*ours, "cursor=" + "A" * 2000, "cursor=W251bGxd", "cursor=%ff", "cursor=W10"):
        answer = installation_on_both.admin.get(f"/admin/users?{query}")
        assert answer.status_code == 422, query


def test_a_look_alike_of_the_administrators_name_is_409(installation: Installation) -> None:
    for rival in ("A\u13a0MINISTRATOR", "A\u13a0Ministrator", "adrninistrator"):
        answer = installation.admin.post("/admin/users", json={"name": rival})
        problem_of(answer, 409, "name-taken")
