"""A whole worker: real queue, real child, real files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from podium.application import Application
from podium.bootstrap import build
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import JudgingPause, PublicScore, Run, Worker
from podium.sandbox.children import ChildSandbox
from podium.settings import Settings
from podium.storage import Area
from podium.worker.scratch import ScratchFolder, remove_those_of_the_dead
from podium.worker.service import Service, start
from tests.builders.judging.scene import Scene, ended, submission, until

ODD = "tests.builders.judging.odd_tasks"

Begin = Callable[..., Service]


@pytest.fixture
def scene(application: Application, tmp_path: Path) -> Scene:
    return Scene(application, tmp_path)


@pytest.fixture
def begin(scene: Scene) -> Iterator[Begin]:
    """Starts a worker; with `odd=True` its children do what a file's first word says."""
    running: list[Service] = []

    def begin(*, odd: bool = False, **settings: object) -> Service:
        application = scene.application
        changed = application.settings.model_copy(update=settings)
        sandbox = ChildSandbox(tasks_module=ODD) if odd else application.sandbox
        running.append(start(replace(application, settings=changed, sandbox=sandbox)))
        return running[-1]

    yield begin
    for service in running:
        service.stop()


def test_a_good_file_is_scored_to_the_digit(scene: Scene, begin: Begin) -> None:
    row = scene.submit(submission(clicks_1="10", clicks_2="11", clicks_3="12", clicks_4="13"))
    scene.dispatch(row)
    begin()
    assert ended(scene, row).state == State.SCORED
    with scene.application.database.read() as session:
        public = session.get_one(PublicScore, row)
    # Every click is found, and nothing else: exactly the weight of the clicks.
    assert str(public.score) == "1/10"
    hits = scene.row(row).hits_sha256
    assert hits is not None
    assert scene.application.storage.size(Area.HITS, hits)


def test_a_bad_file_is_rejected_with_its_line(scene: Scene, begin: Begin) -> None:
    row = scene.submit(submission(carts_1="what"))
    scene.dispatch(row)
    begin()
    verdict = ended(scene, row)
    assert verdict.state == State.REJECTED
    assert verdict.problem is not None
    assert (verdict.problem["code"], verdict.problem["line"]) == ("bad-label", 3)
    assert scene.slots() == 0


def test_a_judging_that_was_not_dispatched_is_found_and_judged(scene: Scene, begin: Begin) -> None:
    row = scene.begin(scene.submit(submission()))
    begin()
    assert ended(scene, row).state == State.SCORED


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(submission(clicks_1="11"), id="scored"),
        pytest.param(submission(clicks_1="x0"), id="rejected"),
        pytest.param(b"abort", id="killed"),
    ],
)
def test_other_bytes_in_a_stored_file_are_our_failure_whatever_the_child_says(
    scene: Scene, begin: Begin, changed: bytes
) -> None:
    row = scene.submit(submission(clicks_1="10"))
    for path in (scene.application.settings.data_dir / "storage" / "submissions").rglob("*"):
        if path.is_file():
            path.write_bytes(changed)
    scene.dispatch(row)
    begin(odd=True)
    until(lambda: scene.run(row).own_failures == 1)
    waiting, run = scene.row(row), scene.run(row)
    assert (waiting.state, waiting.problem, run.child_deaths) == (State.QUEUED, None, 0)
    assert waiting.failure is not None
    assert "StoredFileCorrupt" in waiting.failure
    assert scene.count(PublicScore) == 0


def test_a_missing_ground_truth_pauses_judging_until_it_is_there_again(
    scene: Scene, begin: Begin
) -> None:
    row = scene.submit(submission())
    with scene.application.storage.local(Area.GROUND_TRUTH, scene.truth_sha256) as path:
        kept = path.read_bytes()
    scene.application.storage.delete(Area.GROUND_TRUTH, scene.truth_sha256)
    scene.dispatch(row)
    begin()
    until(lambda: scene.count(JudgingPause) == 1)
    assert (scene.row(row).state, scene.run(row).own_failures) == (State.QUEUED, 0)
    writer = scene.application.storage.writer(Area.GROUND_TRUTH)
    writer.write(kept)
    writer.finish()
    assert ended(scene, row).state == State.SCORED
    assert scene.count(JudgingPause) == 0


@pytest.mark.parametrize(("first_word", "deaths"), [(b"grow", 2), (b"abort", 2), (b"sleep", 1)])
def test_a_hostile_file_is_rejected_and_the_next_file_is_scored(
    scene: Scene, begin: Begin, first_word: bytes, deaths: int
) -> None:
    hostile = scene.submit(first_word, number=1)
    good = scene.submit(submission(), number=2)
    scene.dispatch(hostile)
    scene.dispatch(good)
    memory = {"judging_memory_bytes": 300 << 20, "judging_retry_memory_bytes": 400 << 20}
    # The good file has to be judged in this time as well, on a machine that has much else to do;
    # and a child that grows or aborts must not meet it first.
    seconds = {"judging_seconds": 20.0} if first_word == b"sleep" else {}
    begin(odd=True, **memory, **seconds)
    verdict = ended(scene, hostile)
    assert verdict.state == State.REJECTED
    assert verdict.problem is not None
    assert verdict.problem["code"] == "resource-limit"
    run = scene.run(hostile)
    assert (run.child_deaths, run.worker_deaths) == (deaths, 0)
    assert ended(scene, good).state == State.SCORED
    assert scene.slots() == 2


def test_a_file_that_needs_the_larger_limit_is_scored_by_the_retry(
    scene: Scene, begin: Begin
) -> None:
    row = scene.submit(b"half-a-gigabyte")
    scene.dispatch(row)
    begin(odd=True, judging_memory_bytes=400 << 20, judging_retry_memory_bytes=2 << 30)
    assert ended(scene, row).state == State.SCORED
    assert scene.run(row).child_deaths == 1


def test_stopping_hands_back_what_is_under_way_and_the_next_worker_judges_it(
    scene: Scene, begin: Begin
) -> None:
    row = scene.submit(b"sleep-once")
    scene.dispatch(row)
    service = begin(odd=True)
    until(lambda: scene.row(row).state == State.RUNNING)
    service.stop()
    handed_back = scene.row(row)
    run = scene.run(row)
    assert (handed_back.state, run.state, run.worker_deaths) == (State.QUEUED, WorkState.QUEUED, 0)
    assert run.child_deaths == 0
    begin()
    # The same bytes are not CSV for the real judge.
    assert ended(scene, row).state == State.REJECTED


def test_a_cancellation_ends_the_child(scene: Scene, begin: Begin) -> None:
    row = scene.submit(b"sleep")
    scene.dispatch(row)
    begin(odd=True)
    until(lambda: scene.row(row).state == State.RUNNING)

    def ask_for_the_end(session: object) -> None:
        session.get_one(Run, row).cancel_requested = True  # type: ignore[attr-defined]

    scene.change(ask_for_the_end)
    assert ended(scene, row).state == State.CANCELLED
    assert scene.slots() == 1


def test_a_worker_shows_that_it_lives_and_says_goodbye(scene: Scene, begin: Begin) -> None:
    service = begin()
    until(lambda: _worker(scene, service).heartbeat_at > _worker(scene, service).started_at)
    assert _worker(scene, service).stopped_at is None
    service.stop()
    assert _worker(scene, service).stopped_at is not None


def test_a_forged_answer_that_cannot_be_computed_with_is_a_failure_of_ours(
    scene: Scene, begin: Begin
) -> None:
    row = scene.submit(b"divide-by-zero")
    scene.dispatch(row)
    begin(odd=True)
    until(lambda: scene.run(row).own_failures == 1)
    failed = scene.row(row)
    assert failed.failure is not None
    assert failed.failure.startswith("ZeroDivisionError")


def test_a_killed_workers_judging_is_judged_by_another(scene: Scene, begin: Begin) -> None:
    row = scene.submit(submission(clicks_1="10"))
    scene.dispatch(row)
    application = scene.application
    code = (
        "import os, sys, threading; from pathlib import Path;"
        "from podium.bootstrap import build; from podium.settings import Settings;"
        "from podium.worker import files; from podium.worker.service import start;"
        "files.run_child = lambda _: os.kill(os.getpid(), 9);"
        "start(build(Settings())); threading.Event().wait(60)"
    )
    killed = subprocess.run(
        [sys.executable, "-c", code],
        env=_environment(application),
        check=False,
        timeout=60,
        capture_output=True,
    )
    assert killed.returncode == -9, killed.stderr
    assert scene.row(row).state == State.RUNNING
    begin()
    verdict = ended(scene, row)
    assert verdict.state == State.SCORED
    run = scene.run(row)
    assert (run.worker_deaths, run.child_deaths, run.fence) == (1, 0, 2)
    scratch = application.settings.data_dir / "scratch" / "judgings"
    assert len([path for path in scratch.iterdir() if path.is_dir()]) == 1


def test_a_worker_that_was_paused_past_its_lease_is_not_heard_when_it_wakes(
    scene: Scene, begin: Begin, tmp_path: Path
) -> None:
    row = scene.submit(submission(clicks_1="10"))
    scene.dispatch(row)
    log = tmp_path / "paused.log"
    # While it runs it must not lose its lease, however slow the machine is; the lease ends below.
    environment = _environment(scene.application) | {"PODIUM_LEASE_SECONDS": "600"}
    command = [sys.executable, "-m", "tests.builders.judging.other_worker"]
    with log.open("wb") as stream:
        paused = subprocess.Popen(command, env=environment, stderr=stream)
    try:
        _, status = os.waitpid(paused.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status), log.read_text()
        assert (scene.row(row).state, scene.run(row).fence) == (State.RUNNING, 1)
        scene.expire(row)
        begin()
        verdict, run = ended(scene, row), scene.run(row)
        paused.send_signal(signal.SIGCONT)
        until(lambda: "fence.outdated" in log.read_text() or "lost" in log.read_text())
    finally:
        paused.kill()
        paused.wait()
    after = scene.run(row)
    assert (after.state, after.fence, after.worker_id) == (WorkState.DONE, 2, run.worker_id)
    assert scene.row(row).judged_at == verdict.judged_at
    assert scene.count(PublicScore) == 1


def test_scratch_of_the_dead_is_removed_and_that_of_the_living_kept(tmp_path: Path) -> None:
    living = ScratchFolder(tmp_path, "living")
    dead = ScratchFolder(tmp_path, "dead")
    (dead.path / "canonical.csv").write_text("x")
    os.close(dead._lock)
    assert remove_those_of_the_dead(tmp_path) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"living", "living.lock"}
    living.remove()
    assert list(tmp_path.iterdir()) == []


def test_scratch_of_who_was_killed_while_it_was_made_or_removed_goes_too(tmp_path: Path) -> None:
    # One was killed before it had a folder, the other while it removed its own.
    (tmp_path / "before.lock").touch()
    (tmp_path / "after").mkdir()
    (tmp_path / "after" / "canonical.csv").write_text("x")
    (tmp_path / "after.lock").touch()
    assert remove_those_of_the_dead(tmp_path) == 1
    assert list(tmp_path.iterdir()) == []


def test_bootstrap_builds_what_a_worker_needs(settings: Settings) -> None:
    application: Application = build(settings)
    start(application).stop()
    application.close()


def _environment(application: Application) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(Path.cwd()),
        "PODIUM_DATA_DIR": str(application.settings.data_dir),
        "PODIUM_DATABASE_URL": application.settings.database_url,
        "PODIUM_LEASE_SECONDS": "1",
        "PODIUM_MIN_FREE_BYTES": "0",
    }


def _worker(scene: Scene, service: Service) -> Worker:
    with scene.application.database.read() as session:
        return session.get_one(Worker, service.worker_id)
