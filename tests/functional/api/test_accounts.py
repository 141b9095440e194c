"""Accounts: made by those who may, with names that nobody can confuse."""

from __future__ import annotations

import pytest

from tests.functional.api.installation import Installation, Person, problem_of


def test_a_new_account_works_with_the_token_that_is_shown_once(installation: Installation) -> None:
    answer = installation.admin.post("/admin/users", json={"name": "ada"})
    assert answer.status_code == 201
    ada = Person(installation.client, answer.json()["token"])

    me = ada.get("/me").json()

    assert me["name"] == "ada"
    assert me["organizer"] is False
    assert me["administrator"] is False
    assert me["teams"] == []
    assert "token" not in installation.admin.get(f"/admin/users/{me['id']}").json()


def test_tokens_have_at_least_256_bits(installation: Installation) -> None:
    token = installation.admin.post("/admin/users", json={"name": "ada"}).json()["token"]
    assert len(token) >= 43


@pytest.mark.parametrize("sent", ["unknown", "Bearer", "", "x" * 5000])
def test_a_wrong_token_is_401_with_one_text(installation: Installation, sent: str) -> None:
    answer = installation.client.get("/api/v1/me", headers={"Authorization": f"Bearer {sent}"})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_no_token_is_401(installation: Installation) -> None:
    answer = installation.nobody.get("/me")
    problem_of(answer, 401, "not-authenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_token_in_the_query_is_not_taken(installation: Installation) -> None:
    ada = installation.person("ada")
    answer = installation.nobody.get(f"/me?token={ada.token}&access_token={ada.token}")
    problem_of(answer, 401, "not-authenticated")


def test_unknown_revoked_expired_and_disabled_look_the_same(installation: Installation) -> None:
    ada, eve = installation.person("ada"), installation.person("eve")
    revoked = ada.post("/me/tokens", json={"label": "old"}).json()
    assert ada.delete(f"/me/tokens/{revoked['id']}").status_code == 204
    installation.admin.patch(f"/admin/users/{eve.id}", json={"disabled": True})

    problems = []
    for token in ("never-made", revoked["token"], eve.token):
        problem = problem_of(
            Person(installation.client, token).get("/me"), 401, "not-authenticated"
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
    problem_of(installation.nobody.get("/admin/users"), 401, "not-authenticated")


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


@pytest.mark.parametrize(
    "rival", ["ada", "ADA", " Ada ", "Αda", "аda", "ädа", "ada\u00a0", "A d a", "ａｄａ"]
)
def test_a_name_that_looks_like_anothers_is_409(installation: Installation, rival: str) -> None:
    installation.person("Ada")
    answer = installation.admin.post("/admin/users", json={"name": rival})
    problem_of(answer, 409, "name-taken")


@pytest.mark.parametrize(
    "name",
    ["", "   ", "a\nb", "a\tb", "x" * 65, "\u202eabc", "\u0301", "a\u200bb", "\x1b[31m", "a\x85b"],
)
def test_a_name_that_does_not_show_as_it_is_is_422(installation: Installation, name: str) -> None:
    problem_of(installation.admin.post("/admin/users", json={"name": name}), 422, "bad-name")


@pytest.mark.parametrize("name", ["x", "x" * 64, "Ada Lovelace", "🚀", "=cmd|", "<script>", "李"])
def test_other_names_are_kept_as_they_are(installation: Installation, name: str) -> None:
    answer = installation.admin.post("/admin/users", json={"name": name})
    assert answer.status_code == 201
    assert answer.json()["name"] == name


def test_a_name_of_10_kilobytes_is_422(installation: Installation) -> None:
    problem_of(
        installation.admin.post("/admin/users", json={"name": "a" * 10_000}), 422, "bad-name"
    )


def test_renaming_to_anothers_name_is_409_and_changes_nothing(installation: Installation) -> None:
    installation.person("ada")
    eve = installation.person("eve")
    answer = installation.admin.patch(
        f"/admin/users/{eve.id}", json={"name": "ADA", "organizer": True}
    )
    problem_of(answer, 409, "name-taken")
    kept = installation.admin.get(f"/admin/users/{eve.id}").json()
    assert (kept["name"], kept["organizer"]) == ("eve", False)


@pytest.mark.parametrize(
    "column",
    ["id", "is_administrator", "administrator", "name_key", "created_at", "token", "sha256"],
)
def test_no_column_can_be_set_beside_the_named_ones(
    installation: Installation, column: str
) -> None:
    body = {"name": "eve", column: True}
    problem_of(installation.admin.post("/admin/users", json=body), 422, "invalid")
    assert [user["name"] for user in installation.admin.get("/admin/users").json()["items"]] == [
        "administrator"
    ]


def test_an_unknown_account_is_404(installation: Installation) -> None:
    for user_id in ("no-such-id", "0" * 36, "x" * 2000, "' OR 1=1--"):
        answer = installation.admin.get(f"/admin/users/{user_id}")
        problem_of(answer, 404, "not-found")


def test_accounts_are_listed_in_pages(installation: Installation) -> None:
    for number in range(5):
        installation.person(f"user {number + 2}")
    names, path = [], "/admin/users?limit=2"
    while path:
        answer = installation.admin.get(path)
        page = answer.json()
        names += [user["name"] for user in page["items"]]
        assert ("next" in answer.links) == (page["next_cursor"] is not None)
        path = answer.links["next"]["url"].split("/api/v1")[1] if "next" in answer.links else ""
    assert names == ["administrator", *(f"user {number + 2}" for number in range(5))]


@pytest.mark.parametrize(
    "query",
    [
        "cursor=x",
        "cursor=WzFd",
        "cursor=WyJhIiwiYiJd",
        "limit=0",
        "limit=1001",
        "limit=x",
        "cursor=" + "A" * 2000,
        "cursor=W251bGxd",
        "cursor=%ff",
    ],
)
def test_a_cursor_or_limit_that_is_not_ours_is_422(installation: Installation, query: str) -> None:
    answer = installation.admin.get(f"/admin/users?{query}")
    assert answer.status_code == 422, answer.text
