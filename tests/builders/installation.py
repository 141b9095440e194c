"""Installations for tests that act through HTTP only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from podium.accounts.service.bootstrap import ensure_administrator
from podium.application import Application
from podium.core.models import AccessToken
from podium.logs import configure_logs
from podium.main import create_app
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.servers.in_process import TestClient

ADMIN_TOKEN = "the-administrator-of-the-tests"

API = "/api/v1"

TRUTH = b"".join(
    b'{"session": %d, "labels": {"clicks": %d, "carts": [%d, 7], "orders": [%d]}}\n'
    % (session, session, session + 1, session + 2)
    for session in range(100, 160)
)
"""60 sessions, all of them labelled: 60 clicks, 120 carts and 60 orders."""

PNG = b"\x89PNG\r\n\x1a\n"
"""The first bytes of a picture."""


@dataclass
class Person:
    """A user with a token; `None` is an anonymous visitor."""

    client: TestClient
    token: str | None
    id: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, **arguments: Any) -> Any:
        """A request with this person's token; the path stands below `/api/v1`."""
        headers = dict(arguments.pop("headers", {}))
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        return self.client.request(method, API + path, headers=headers, **arguments)

    def get(self, path: str, **arguments: Any) -> Any:
        return self.send("GET", path, **arguments)

    def post(self, path: str, **arguments: Any) -> Any:
        return self.send("POST", path, **arguments)

    def put(self, path: str, **arguments: Any) -> Any:
        return self.send("PUT", path, **arguments)

    def patch(self, path: str, **arguments: Any) -> Any:
        return self.send("PATCH", path, **arguments)

    def delete(self, path: str, **arguments: Any) -> Any:
        return self.send("DELETE", path, **arguments)


@dataclass
class Installation:
    """The administrator, everybody, and the collaborators behind the routes."""

    client: TestClient
    application: Application

    @property
    def admin(self) -> Person:
        return Person(self.client, ADMIN_TOKEN)

    @property
    def anonymous(self) -> Person:
        return Person(self.client, None)

    def person(self, name: str, *, organizer: bool = False) -> Person:
        """A new account."""
        answer = self.admin.post("/admin/users", json={"name": name, "organizer": organizer})
        assert answer.status_code == 201, answer.text
        return Person(self.client, answer.json()["token"], answer.json()["id"])

    def draft(self, slug: str = "otto", **settings: Any) -> Any:
        """A new draft of the administrator's."""
        body = {"slug": slug, "title": slug.upper(), "preset": "otto", **settings}
        answer = self.admin.post("/admin/competitions", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def upload_truth(self, slug: str = "otto", truth: bytes = TRUTH) -> Any:
        """A ground truth for a draft."""
        answer = self.admin.post(f"/admin/competitions/{slug}/ground-truth", content=truth)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def launched(self, slug: str = "otto", **settings: Any) -> Any:
        """A competition that is open."""
        self.draft(slug, split={"public_fraction": 0.5}, **settings)
        self.upload_truth(slug)
        answer = self.admin.post(f"/admin/competitions/{slug}/launch")
        assert answer.status_code == 200, answer.text
        return answer.json()


def problem_of(answer: Any, status: int, code: str) -> Any:
    """Checks that an answer is this problem, in the shape that every error has; answers it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == code, answer.text
    assert problem["status"] == status
    assert problem["type"] == f"/problems/{code}"
    assert problem["request_id"] == answer.headers["x-request-id"]
    return problem


@contextmanager
def client_of(application: Application, **client: Any) -> Iterator[TestClient]:
    """A client of the application, whose administrator has `ADMIN_TOKEN`. Jobs are done, and
    nothing is judged."""
    configure_logs(json=True)
    with application.database.write() as session:
        # A copied database may have the administrator already.
        if session.scalar(select(AccessToken.id).limit(1)) is None:
            ensure_administrator(session, token=ADMIN_TOKEN)
    with doing_jobs(application), TestClient(create_app(application), **client) as web:
        yield web
