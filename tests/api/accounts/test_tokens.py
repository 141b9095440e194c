"""A person's own tokens."""

from __future__ import annotations

from tests.builders.installation import Installation, Person, problem_of

REFUSED: list[dict[str, object]] = [
    {"scope": "admin"},
    {"user_id": "x"},
    {"token": "x"},
    {"sha256": "x"},
    {"label": 5},
    {"expires_at": "tomorrow"},
    {"expires_at": "2999-01-01"},
    {"expires_at": "2999-01-01T00:00:00"},
    {"expires_at": 4102444800},
    {"expires_at": "0001-01-01T00:00:00+14:00"},
    {"expires_at": "9999-12-31T23:59:59-14:00"},
]


def test_a_further_token_is_the_same_person(installation: Installation) -> None:
    ada = installation.person("ada")
    made = ada.post("/me/tokens", json={"label": "laptop"})
    assert made.status_code == 201
    assert Person(installation.client, made.json()["token"]).get("/me").json()["id"] == ada.id


def test_a_token_can_be_made_without_a_body(installation: Installation) -> None:
    ada = installation.person("ada")
    assert ada.post("/me/tokens").status_code == 201


def test_tokens_are_listed_without_their_text(installation: Installation) -> None:
    ada = installation.person("ada")
    ada.post("/me/tokens", json={"label": "laptop"})
    items = ada.get("/me/tokens").json()["items"]
    assert [item["label"] for item in items] == ["first token", "laptop"]
    assert all("token" not in item and "sha256" not in item for item in items)


def test_a_token_ends_at_its_date(installation: Installation) -> None:
    ada = installation.person("ada")
    made = ada.post("/me/tokens", json={"expires_at": "2999-01-01T00:00:00Z"}).json()
    assert made["expires_at"] == "2999-01-01T00:00:00Z"
    assert Person(installation.client, made["token"]).get("/me").status_code == 200
    answer = ada.post("/me/tokens", json={"expires_at": "2001-01-01T00:00:00Z"})
    problem_of(answer, 422, "bad-date")


def test_the_token_of_another_person_is_404(installation: Installation) -> None:
    ada, eve = installation.person("ada"), installation.person("eve")
    theirs = eve.post("/me/tokens", json={}).json()["id"]
    foreign = ada.delete(f"/me/tokens/{theirs}")
    random = ada.delete("/me/tokens/019a9f6c-0000-7000-8000-000000000000")
    one, other = problem_of(foreign, 404, "not-found"), problem_of(random, 404, "not-found")
    assert one["detail"] == other["detail"]
    assert eve.get("/me/tokens").json()["items"][-1]["id"] == theirs


def test_a_revoked_token_cannot_be_revoked_again(installation: Installation) -> None:
    ada = installation.person("ada")
    made = ada.post("/me/tokens", json={}).json()["id"]
    assert ada.delete(f"/me/tokens/{made}").status_code == 204
    problem_of(ada.delete(f"/me/tokens/{made}"), 404, "not-found")


def test_anything_but_a_label_and_a_date_is_422(installation: Installation) -> None:
    ada = installation.person("ada")
    for body in REFUSED:
        problem_of(ada.post("/me/tokens", json=body), 422, "invalid")
    assert len(ada.get("/me/tokens").json()["items"]) == 1


def test_a_label_that_does_not_print_is_422(installation: Installation) -> None:
    ada = installation.person("ada")
    for label in ("x" * 65, "a\nb", "\u202e"):
        problem_of(ada.post("/me/tokens", json={"label": label}), 422, "bad-label")


def test_an_account_has_at_most_fifty_tokens(installation: Installation) -> None:
    ada = installation.person("ada")
    for _ in range(49):
        assert ada.post("/me/tokens").status_code == 201
    problem_of(ada.post("/me/tokens"), 409, "too-many-tokens")


def test_a_token_with_the_scheme_in_front_is_told_so(installation: Installation) -> None:
    ada = installation.person("ada")
    refused = Person(installation.client, f"Bearer {ada.token}").get("/me")
    problem_of(refused, 401, "not-authenticated")
    assert "says “Bearer” twice" in refused.json()["detail"]
