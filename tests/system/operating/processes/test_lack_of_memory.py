"""A worker whose container is full: no file is blamed for that, and it is judged later."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from podium.client import Podium
from tests.builders.machine.memory_group import MemoryGroup
from tests.builders.processes.serving import launch, serving, submission
from tests.places import ROOT


def test_a_file_waits_until_there_is_memory_again_and_is_not_charged_for_that(
    group: MemoryGroup, tmp_path: Path
) -> None:
    with serving(tmp_path) as here, here.organizer() as organizer:
        launch(organizer, "shop", tmp_path)
    with serving(tmp_path, "--no-worker") as here, here.organizer() as organizer:
        (tmp_path / "mine.csv").write_text(submission(orders="4"))
        log = tmp_path / "worker.log"
        with (
            Podium(here.url, organizer.create_user("ada")["token"]) as ada,
            _neighbor(group, 256 << 20),
            _worker(group, tmp_path, log),
        ):
            ada.create_team("shop", "Ada")
            # After its first file, the worker holds all that it needs for itself.
            assert ada.wait(ada.submit("shop", tmp_path / "mine.csv")["id"])["status"] == "scored"
            # Enough for the worker that is there, even while a dead child's memory is not free yet,
            # and too little for a child of it.
            group.limit(group.used() + (16 << 20))
            sent = ada.submit("shop", tmp_path / "mine.csv")
            # A second death of a child's own making would have been the file's end.
            _until(lambda: len(_events(log, "child.died")) > 1)
            assert ada.submission(sent["id"])["status"] in ("queued", "judging")
            group.limit(None)
            assert ada.wait(sent["id"], timeout=240)["status"] == "scored"
    assert group.kills() > 1
    told = {(event["failure"], event["consequence"]) for event in _events(log, "child.died")}
    assert told == {("lack-of-memory", "later")}


@contextmanager
def _neighbor(group: MemoryGroup, amount: int) -> Iterator[None]:
    """A process that holds so many bytes. The kernel picks by size, and adds to a child's own the
    limit of the group: without anything else in it, a worker alone may weigh more than that."""
    program = f"held = b'x' * {amount}; print(flush=True); input()"
    with subprocess.Popen(
        group.entering([sys.executable, "-c", program]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as neighbor:
        assert neighbor.stdout is not None
        assert neighbor.stdout.readline() == b"\n"
        try:
            yield
        finally:
            neighbor.kill()


@contextmanager
def _worker(group: MemoryGroup, folder: Path, log: Path, **settings: str) -> Iterator[None]:
    with log.open("w") as stream:
        worker = subprocess.Popen(
            group.entering([sys.executable, "-m", "podium.cli", "worker"]),
            cwd=folder,
            env=_environment(folder) | settings,
            stderr=stream,
        )
        try:
            yield
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(timeout=60) == 0
        finally:
            worker.kill()
            worker.wait()


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "PYTHONPATH": str(ROOT),
        "PODIUM_DATA_DIR": str(folder / "data"),
        "PODIUM_MIN_FREE_BYTES": "0",
        "PODIUM_LOG_FORMAT": "json",
    }


def _events(log: Path, name: str) -> list[dict[str, Any]]:
    events = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")]
    return [event for event in events if event["event"] == name]


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.1)


def test_a_container_that_no_judging_fits_into_is_ill_and_one_for_few_begins_fewer(
    group: MemoryGroup, tmp_path: Path
) -> None:
    group.limit(1 << 30)
    log = tmp_path / "worker.log"
    with serving(tmp_path, "--no-worker"), _worker(group, tmp_path, log, PODIUM_JUDGING_SLOTS="4"):
        _until(lambda: bool(_events(log, "worker.started")))
        doctor = subprocess.run(
            group.entering([sys.executable, "-m", "podium.cli", "doctor"]),
            cwd=tmp_path,
            env=_environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert _events(log, "worker.started")[0]["slots"] == 1
    assert _events(log, "slots.reduced")[0]["wanted"] == 4
    assert len(_events(log, "memory.runs-short")) == 1
    assert doctor.returncode == 4
    assert "Only 1.0 GiB of memory is available" in doctor.stderr
