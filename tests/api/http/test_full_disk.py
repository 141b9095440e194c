"""A full disk is told to those who may store something, and to no other user."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.logs import configure_logs
from podium.main import create_app
from podium.settings import Settings
from tests.builders.installation import ADMIN_TOKEN, Installation, Person, problem_of
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.servers.in_process import TestClient

ROUTES = (
    ("POST", "/uploads"),
    ("PATCH", "/uploads/none"),
    ("POST", "/competitions/otto/submissions"),
    ("POST", "/admin/competitions/otto/ground-truth"),
    ("POST", "/admin/competitions/otto/raw-sessions"),
    ("POST", "/admin/competitions/otto/interactions"),
    ("PUT", "/admin/competitions/otto/published-ids"),
    ("PUT", "/admin/competitions/otto/items"),
    ("PUT", "/admin/competitions/otto/sessions"),
    ("PUT", "/admin/competitions/otto/files/a.csv"),
    ("POST", "/admin/competitions/import"),
)
"""All routes that store what is sent to them."""

LARGE = {"slug": "large", "title": "Large", "preset": "otto", "description": "x" * 50_000}


@contextmanager
def served(url: str, folder: Path, *, min_free_bytes: int) -> Iterator[Installation]:
    """An installation that wants so much room on its disk."""
    settings = Settings(data_dir=folder / "data", database_url=url, min_free_bytes=min_free_bytes)
    application = build(settings)
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    served = TestClient(create_app(application), raise_server_exceptions=False)
    with doing_jobs(application), served as client:
        yield Installation(client, application)
    application.close()


@pytest.fixture
def full(sqlite_url: str, tmp_path: Path) -> Iterator[Installation]:
    """An installation whose disk has no room left."""
    with served(sqlite_url, tmp_path, min_free_bytes=1 << 60) as installation:
        yield installation


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=" ".join)
@pytest.mark.parametrize("token", [None, "wrong"])
def test_anonymous_visitors_are_told_nothing_of_the_disk(
    full: Installation, method: str, path: str, token: str | None
) -> None:
    full.draft()
    headers = {"Upload-Offset": "0", "Upload-Length": "3", "Upload-Complete": "?1"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    answer = full.client.request(method, f"/api/v1{path}", headers=headers, content=b"abc")
    assert answer.status_code == 401, answer.text


@pytest.mark.parametrize("path", ["/competitions/otto/submit", "/server/import"])
def test_pages_do_not_tell_either(full: Installation, path: str) -> None:
    full.draft()
    answer = full.client.post(path, files={"file": ("a.csv", b"abc")}, follow_redirects=False)
    assert answer.status_code in (303, 401, 404), answer.text


def test_a_stranger_to_a_competition_is_told_nothing_of_the_disk(full: Installation) -> None:
    full.draft()
    carl = full.person("carl")
    for method, path in ROUTES[1:]:
        answer = carl.send(method, path, headers={"Upload-Offset": "0"}, content=b"abc")
        assert answer.status_code in (403, 404), (path, answer.text)


def test_only_who_may_begin_an_upload_is_told_and_nothing_of_it_remains(
    sqlite_url: str, tmp_path: Path
) -> None:
    with served(sqlite_url, tmp_path, min_free_bytes=0) as roomy:
        roomy.launched()
        ada, carl = roomy.person("ada"), roomy.person("carl")
        assert ada.post("/competitions/otto/teams", json={"name": "Ada"}).status_code == 201
    with served(sqlite_url, tmp_path, min_free_bytes=1 << 60) as full:
        ada, carl = (Person(full.client, each.token) for each in (ada, carl))
        problem_of(carl.post("/uploads", headers={"Upload-Length": "3"}), 403, "not-joined")
        problem_of(ada.post("/uploads", headers={"Upload-Length": "3"}), 503, "storage-full")
        assert ada.get("/uploads").json()["items"] == []


def test_a_database_without_room_is_told_as_a_full_disk_and_goes_on_with_room(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(json=True)
    with served(sqlite_url, tmp_path, min_free_bytes=0) as small:
        engine = small.application.database.write_engine
        engine.dispose()
        event.listen(engine, "connect", _keep_its_size)
        answer = small.admin.post("/admin/competitions", json=LARGE)
        problem = problem_of(answer, 503, "storage-full")
        assert problem["detail"].startswith("The disk of the installation is full.")
        assert answer.headers["Retry-After"] == "300"
        [line] = [one for one in capsys.readouterr().err.splitlines() if "database.failed" in one]
        assert json.loads(line)["detail"] == "database or disk is full"
        event.remove(engine, "connect", _keep_its_size)
        engine.dispose()
        assert small.admin.post("/admin/competitions", json=LARGE).status_code == 201


def _keep_its_size(connection: sqlite3.Connection, _record: object) -> None:
    # SQLite takes the present size where that is more.
    connection.execute("PRAGMA max_page_count = 1")
