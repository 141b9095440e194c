"""Tokens of a person: made, listed, tried."""

from __future__ import annotations

from typing import Any

from tests.builders.installation import Installation, Person

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
    return installation.anonymous.post("/sign-in", json={"name": name, "password": GOOD})
