"""Two installations that differ in nothing but every label of the ground truth."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.main import create_app
from podium.sandbox import Sandbox
from podium.settings import Settings
from podium.worker.service import start
from tests.builders.access.catalogue import OBJECTIVES, SESSIONS
from tests.builders.installation import ADMIN_TOKEN, Installation, Person
from tests.builders.jobs.in_process import doing_jobs

SLUG = "otto"


def otto_truth(*, is_other: bool) -> bytes:
    """Labels for two objectives of each session: which two, and all labels, differ."""
    lines = []
    for session in SESSIONS:
        first = (session + is_other) % 3
        labelled = {OBJECTIVES[(first + step) % 3] for step in (0, 1)}
        base = 5000 if is_other else 1000
        labels: dict[str, Any] = {
            "clicks": base + session,
            "carts": [base + 300, base + session],
            "orders": [base + 600 + session % 7],
        }
        kept = {name: labels[name] for name in OBJECTIVES if name in labelled}
        lines.append(json.dumps({"session": session, "labels": kept}))
    return "\n".join(lines).encode()


@contextmanager
def serving(
    folder: Path, migrated: Path, sandbox: Sandbox | None = None, **more: Any
) -> Iterator[Installation]:
    """An installation in this folder, with a copy of this database, and with children as usual
    where no other sandbox is given. Jobs are done, and nothing is judged; `more` are
    further settings."""
    folder.mkdir()
    database = shutil.copyfile(migrated, folder / "podium.sqlite3")
    settings = Settings(
        data_dir=folder,
        database_url=f"sqlite:///{database}",
        min_free_bytes=0,
        reconcile_seconds=0.2,
        rejected_per_hour=1000,
        **more,
    )
    application = build(settings)
    if sandbox is not None:
        application = replace(application, sandbox=sandbox)
    try:
        with application.database.write() as session:
            ensure_administrator(session, token=ADMIN_TOKEN)
        with doing_jobs(application), TestClient(create_app(application)) as client:
            yield Installation(client, application)
    finally:
        application.close()


@contextmanager
def judging(installation: Installation) -> Iterator[None]:
    """A worker judges while the block runs."""
    service = start(installation.application)
    try:
        yield
    finally:
        service.stop()


def opened(installation: Installation, truth: bytes, **settings: Any) -> None:
    """Makes and launches the competition."""
    body = {"slug": SLUG, "title": "A title", "daily_limit": 1000, **settings}
    route = f"/admin/competitions/{SLUG}"
    for answer in (
        installation.admin.post("/admin/competitions", json=body),
        installation.admin.post(f"{route}/ground-truth", content=truth),
        installation.admin.post(f"{route}/launch"),
    ):
        assert answer.status_code in (200, 201), answer.text


def enters(installation: Installation, name: str) -> Person:
    """A user with a team of their own."""
    person = installation.person(name)
    answer = person.post(f"/competitions/{SLUG}/teams", json={"name": f"Team {name}"})
    assert answer.status_code == 201, answer.text
    return person
