"""Work that takes longer than a request: it is waited for, joined by identical requests, and
refused at once where no worker would do it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from podium.accounts.service.bootstrap import ensure_administrator
from podium.bootstrap import build
from podium.core.models import Job
from podium.main import create_app
from podium.settings import Settings
from tests.builders.installation import ADMIN_TOKEN, TRUTH, Installation, problem_of
from tests.builders.jobs.in_process import doing_jobs
from tests.builders.page import compact
from tests.builders.rows import add_live_worker
from tests.builders.servers.in_process import TestClient
from tests.builders.site import Site

DRAFT = "/admin/competitions/otto"

LONG_WORK = (
    ("POST", "/ground-truth", TRUTH),
    ("POST", "/raw-sessions", b"{}"),
    ("POST", "/interactions", b"{}"),
    ("PUT", "/published-ids", b"1\n2\n"),
    ("PUT", "/items", b"item\n1\n"),
)
"""Uploads to a draft that a worker reads."""


@pytest.fixture
def impatient(sqlite_url: str, tmp_path: Path) -> Iterator[Installation]:
    """An installation whose requests wait for nothing, and that has no worker."""
    application = build(
        Settings(
            data_dir=tmp_path / "data",
            database_url=sqlite_url,
            min_free_bytes=0,
            answer_seconds=0,
        )
    )
    with application.database.write() as session:
        ensure_administrator(session, token=ADMIN_TOKEN)
    with TestClient(create_app(application), raise_server_exceptions=False) as client:
        yield Installation(client, application)
    application.close()


def test_without_a_worker_the_answer_is_503_at_once_and_says_so(impatient: Installation) -> None:
    impatient.draft(split={"public_fraction": 0.5})
    for method, path, content in LONG_WORK:
        answer = impatient.admin.send(method, DRAFT + path, content=content)
        problem = problem_of(answer, 503, "no-worker")
        assert "No worker is running" in problem["detail"]
        assert int(answer.headers["retry-after"]) > 0
    # Nothing is left of them that would keep others from being sent.
    assert impatient.admin.get(f"{DRAFT}/ground-truth").json()["items"] == []
    with doing_jobs(impatient.application):
        _sent(impatient)
    problem_of(impatient.admin.post(f"{DRAFT}/launch"), 503, "no-worker")
    problem_of(impatient.admin.get(f"{DRAFT}/launch"), 503, "no-worker")
    problem_of(impatient.admin.get("/competitions/otto/sample-submission"), 503, "no-worker")


def test_a_ground_truth_that_takes_long_is_202_and_found_at_its_location(
    impatient: Installation,
) -> None:
    impatient.draft(split={"public_fraction": 0.5})
    _register(impatient)
    answer = impatient.admin.post(f"{DRAFT}/ground-truth", content=TRUTH)
    assert answer.status_code == 202
    assert answer.json()["status"] == "checking"
    assert int(answer.headers["retry-after"]) >= 1
    again = impatient.admin.post(f"{DRAFT}/ground-truth", content=TRUTH)
    assert (again.status_code, again.json()["id"]) == (202, answer.json()["id"])
    other = impatient.admin.post(f"{DRAFT}/ground-truth", content=TRUTH + b"\n")
    problem_of(other, 409, "ground-truth-checking")
    where = answer.headers["location"].removeprefix("/api/v1")
    with doing_jobs(impatient.application):
        _until(lambda: impatient.admin.get(where).json()["status"] != "checking")
    read = impatient.admin.get(where).json()
    assert (read["status"], read["version"], read["active"]) == ("stored", 1, True)
    assert _jobs(impatient) == ["ground-truth"]


def test_a_launch_that_takes_long_is_503_and_the_same_call_finds_its_end(
    impatient: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    impatient.draft(split={"public_fraction": 0.5})
    with doing_jobs(impatient.application):
        _sent(impatient)
    _register(impatient)
    for _ in range(2):
        answer = impatient.admin.post(f"{DRAFT}/launch")
        problem_of(answer, 503, "still-running")
        assert int(answer.headers["retry-after"]) >= 1
    assert "request.refused" not in "".join(capsys.readouterr())
    assert impatient.admin.get("/competitions/otto").json()["phase"] == "draft"
    with doing_jobs(impatient.application):
        _until(lambda: impatient.admin.get(f"{DRAFT}/launch").status_code == 200)
    launched = impatient.admin.post(f"{DRAFT}/launch")
    assert launched.status_code == 200
    assert launched.json()["phase"] == "open"
    assert _jobs(impatient).count("launch-probes") == 1


def test_a_page_whose_work_takes_long_looks_again_by_itself(impatient: Installation) -> None:
    impatient.draft(split={"public_fraction": 0.5})
    with doing_jobs(impatient.application):
        _sent(impatient)
    _register(impatient)
    browser = Site(impatient).browser(impatient.admin)
    waiting = browser.get("/organize/otto?check=true")
    assert waiting.status_code == 503
    # A browser that stands at …#todo loads a page again by its own address alone.
    assert 'http-equiv="refresh" content="2; url=/organize/otto?check=true">' in compact(
        waiting.text
    )
    assert "Still working" in waiting.text
    assert "Repeat the request" not in waiting.text
    pressed = browser.send("/organize/otto/acts/launch", confirm="otto")
    assert "Press the same button again" in pressed.text
    assert "http-equiv" not in pressed.text
    with doing_jobs(impatient.application):
        _until(lambda: browser.get("/organize/otto?check=true").status_code == 200)


def test_a_file_that_takes_long_is_503_and_the_same_call_takes_it(impatient: Installation) -> None:
    impatient.draft()
    _register(impatient)
    bad, good = b"item\nx\n", b"item\n1\n2\n"
    for content in (bad, good):
        problem_of(impatient.admin.put(f"{DRAFT}/items", content=content), 503, "still-running")
    with doing_jobs(impatient.application):
        _until(lambda: "queued" not in _states(impatient) and "running" not in _states(impatient))
    refused = impatient.admin.put(f"{DRAFT}/items", content=bad)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["line"] == 2
    problem_of(impatient.admin.get(f"{DRAFT}/items"), 404, "not-found")
    taken = impatient.admin.put(f"{DRAFT}/items", content=good)
    assert (taken.status_code, taken.json()["items"]) == (201, 2)
    assert _jobs(impatient) == ["item-file", "item-file"]


def test_two_identical_launches_at_once_share_one_job(installation: Installation) -> None:
    installation.draft(split={"public_fraction": 0.5})
    installation.upload_truth()
    at_once = threading.Barrier(2)

    def launch(_: int) -> int:
        at_once.wait(30)
        return int(installation.admin.post(f"{DRAFT}/launch").status_code)

    with ThreadPoolExecutor(2) as both:
        assert sorted(both.map(launch, range(2))) == [200, 409]
    assert _jobs(installation).count("launch-probes") == 1


def test_the_sample_is_made_once_and_is_then_a_stored_file(installation: Installation) -> None:
    installation.launched()
    path = "/competitions/otto/sample-submission"
    first = installation.anonymous.get(path)
    part = installation.anonymous.get(path, headers={"Range": "bytes=0-10"})
    assert (part.status_code, part.content) == (206, first.content[:11])
    assert _jobs(installation).count("sample") == 1


def _sent(installation: Installation) -> None:
    admin = installation.admin
    where = admin.post(f"{DRAFT}/ground-truth", content=TRUTH).headers["location"]
    where = where.removeprefix("/api/v1")
    _until(lambda: admin.get(where).json()["status"] == "stored")


def _register(installation: Installation) -> None:
    with installation.application.database.write() as session:
        add_live_worker(session)


def _states(installation: Installation) -> list[str]:
    with installation.application.database.read() as session:
        return [job.state for job in session.query(Job)]


def _jobs(installation: Installation) -> list[str]:
    with installation.application.database.read() as session:
        return [job.kind for job in session.query(Job).order_by(Job.id)]


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)
