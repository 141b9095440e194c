"""Two installations that differ in nothing but every label of the ground truth."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.main import create_app
from podium.sandbox import Sandbox
from podium.settings import Settings
from podium.worker.service import start
from tests.builders.access.catalogue import OBJECTIVES, SESSIONS
from tests.builders.installation import ADMIN_TOKEN, Installation, Person
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.servers.in_process import TestClient

SLUG = "otto"


OWN_METRIC = """
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name):
    y = submission["y"]
    if (y == 77).any():
        raise KeyError("whatever the truth is")
    if (y == 78).any():
        raise ParticipantVisibleError("78 is refused")
    if (solution["y"] > 50).any():
        # Only the private rows of the other truth.
        if (y == 33).any():
            raise KeyError("a secret")
        if (y == 34).any():
            raise ParticipantVisibleError("a secret")
        if (y == 35).any():
            return float("nan")
    return float((solution["y"] - y).abs().mean())
"""

OWN: dict[str, Any] = {
    "task": "table",
    "objectives": {"y": 1},
    "id_column": "id",
    "table_columns": [{"name": "y", "type": "number", "minimum": 0, "maximum": 100}],
    "metric": "own_error",
    "split": "usage",
}


def own_truth(*, is_other: bool) -> bytes:
    """A table whose private rows differ, and no public one."""
    private = 61 if is_other else 21
    public = "".join(f"{100 + row},{row},Public\n" for row in range(1, 9))
    hidden = "".join(f"{200 + row},{private + row},Private\n" for row in range(1, 9))
    return f"id,y,Usage\n{public}{hidden}".encode()


def own_file(value: float) -> bytes:
    """A file that says this of every row of the table."""
    rows = (*range(101, 109), *range(201, 209))
    return ("id,y\n" + "".join(f"{row},{value}\n" for row in rows)).encode()


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


def opened(
    installation: Installation, truth: bytes, metric_file: str = "", **settings: Any
) -> None:
    """Makes and launches the competition, which a `metric_file` scores where there is one."""
    body = {"slug": SLUG, "title": "A title", "daily_limit": 1000, **settings}
    route = f"/admin/competitions/{SLUG}"
    steps: list[tuple[str, dict[str, Any]]] = [
        ("/admin/competitions", {"json": body}),
        (f"{route}/ground-truth", {"content": truth}),
        *([(f"{route}/metric-files", {"content": metric_file})] if metric_file else []),
        (f"{route}/launch", {}),
    ]
    for path, sent in steps:
        answer = installation.admin.post(path, **sent)
        assert answer.status_code in (200, 201), answer.text


def enters(installation: Installation, name: str) -> Person:
    """A user with a team of their own."""
    person = installation.person(name)
    answer = person.post(f"/competitions/{SLUG}/teams", json={"name": f"Team {name}"})
    assert answer.status_code == 201, answer.text
    return person
