"""`python -m benchmarks.workers`: how much faster a queue is worked off by two workers than by one.

Each worker has one core of its own and judges one file at a time on it, as a machine of its own
would; database and files are shared. What counts is the time from the start of the first judging to
the end of the last. Rounds take turns, so that a slow minute hits both. Prints Markdown; progress
goes to stderr. A missed aim is only said, for a machine may be busy.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sqlalchemy import select

from benchmarks import machine, report
from benchmarks.report import Aim
from podium.client import Organizer, Podium
from podium.core.database.engine import Database
from podium.core.models import Judging, Run, Submission
from podium.errors import Unavailable
from podium.otto.submissions import write_submission
from podium.otto.synthetic import synthesize

TOKEN = "the-administrator-of-the-benchmark"
SEED = 42
ITEMS = 100_000
MIN_GAIN = 1.6
"""The least speedup of two workers over one."""

WAIT_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Installation:
    """A running server without a worker, and the folder that it shares with workers."""

    folder: Path
    url: str
    environment: dict[str, str]
    process: int
    """The server's number."""

    slug: str = "otto"
    """The competition that files are sent to."""

    python: str = sys.executable
    """The interpreter of its workers, which tells the version of Podium."""


def main(argv: list[str]) -> None:
    """Starts the server, measures, prints."""
    began, options = machine.moment(), _options(argv)
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2 or shutil.which("taskset") is None:
        sys.exit("This needs two cores, and taskset of util-linux.")
    with tempfile.TemporaryDirectory(prefix="podium-workers-") as folder, ExitStack() as stack:
        here = stack.enter_context(serving(Path(folder), options.database_url))
        labels = Path(folder) / "files"
        synthesize(labels, sessions=options.sessions, seed=SEED, items=ITEMS, labels_only=True)
        file = labels / "submission.csv"
        write_submission(file, sessions=options.sessions, seed=SEED, items=ITEMS)
        ada = stack.enter_context(participant(here, labels / "test_labels.jsonl"))
        seconds: dict[int, list[float]] = {1: [], 2: []}
        for number in range(1, options.rounds + 1):
            for workers, found in seconds.items():
                found.append(seconds_of(here, ada, file, options.files, cores[:workers]))
                _say(f"round {number}, {workers} worker(s): {found[-1]:.1f} s")
    lines = [*report.head("Workers", began), *_table(seconds, file_count=options.files)]
    report.publish("workers", lines, is_kept=options.write)


def _table(seconds: dict[int, list[float]], *, file_count: int) -> list[str]:
    gain = median(one / two for one, two in zip(seconds[1], seconds[2], strict=True))
    rows = [
        f"| {workers} | {median(found):.1f} ({min(found):.1f}-{max(found):.1f}) |"
        f" {60 * file_count / median(found):.1f} |"
        for workers, found in seconds.items()
    ]
    head = ["| workers | s | files a minute |", "| ---: | ---: | ---: |", *rows, ""]
    aim = Aim("two workers over one", gain, MIN_GAIN, at_least=True)
    return [*head, "| aim | reached | bound | held |", "| --- | ---: | ---: | --- |", aim.line()]


@contextmanager
def serving(
    folder: Path,
    database_url: str,
    further: Mapping[str, str] | None = None,
    *,
    python: str = sys.executable,
    options: Sequence[str] = ("--no-worker",),
) -> Iterator[Installation]:
    """A server, without a worker unless options say otherwise, whose data lie in this folder."""
    environment = (
        os.environ
        | (further or {})
        | {
            "PODIUM_DATA_DIR": str(folder / "data"),
            "PODIUM_DATABASE_URL": database_url,
            "PODIUM_ADMIN_TOKEN": TOKEN,
            "PODIUM_MIN_FREE_BYTES": "0",
        }
    )
    command = [python, "-m", "podium.cli", "serve", *options, "--port", "0"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            yield Installation(folder, url, environment, server.pid, python=python)
        finally:
            server.terminate()


@contextmanager
def working(here: Installation, *before: str) -> Iterator[int]:
    """The number of a worker, in a command that others stand before."""
    command = [*before, here.python, "-m", "podium.cli", "worker"]
    environment = here.environment | {"PODIUM_JUDGING_SLOTS": "1"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as worker:
        try:
            yield worker.pid
        finally:
            worker.terminate()


@contextmanager
def participant(here: Installation, labels: Path) -> Iterator[Podium]:
    """A participant of a competition with this ground truth, which a worker has read."""
    with working(here), Organizer(here.url, TOKEN) as organizer:
        organizer.create_competition("otto", "OTTO", preset="otto", daily_limit=10_000)
        upload_patiently(organizer, "otto", labels)
        organizer.launch("otto")
        token = organizer.create_user("ada")["token"]
    with Podium(here.url, token) as ada:
        ada.create_team("otto", "Ada")
        yield ada


def upload_patiently(organizer: Organizer, slug: str, truth: Path) -> None:
    """Uploads the ground truth once the worker is there that reads it."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            organizer.upload_ground_truth(slug, truth)
        except Unavailable:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)
        else:
            return


def seconds_of(here: Installation, ada: Podium, file: Path, count: int, cores: list[int]) -> float:
    """Sends files, then lets a worker on each of the cores judge them; answers the seconds."""
    sent = [ada.submit(here.slug, file)["id"] for _ in range(count)]
    with ExitStack() as running:
        for core in cores:
            running.enter_context(working(here, "taskset", "-c", str(core)))
        for submission_id in sent:
            status = ada.wait(submission_id, timeout=WAIT_SECONDS)["status"]
            if status != "scored":
                sys.exit(f"A file is {status} instead of scored.")
    times = moments(here, sent)
    return max(ended for *_, ended in times) - min(started for _, started, _ in times)


def moments(here: Installation, submission_ids: list[str]) -> list[tuple[float, float, float]]:
    """The moments of each judging: its row, its lease, its verdict."""
    url = here.environment["PODIUM_DATABASE_URL"]
    database = Database(url or f"sqlite:///{here.folder / 'data' / 'podium.sqlite3'}")
    try:
        with database.read() as session:
            rows = session.execute(
                select(Judging.created_at, Run.started_at, Judging.judged_at)
                .join(Run, Run.id == Judging.id)
                .join(Submission, Submission.judging_id == Judging.id)
                .where(Submission.id.in_(submission_ids))
            ).all()
    finally:
        database.close()
    return [tuple(moment.timestamp() for moment in row) for row in rows]


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workers")
    parser.add_argument("--sessions", type=int, default=200_000)
    parser.add_argument("--files", type=int, default=12, help="files of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--database-url", default="", help="SQLite without it")
    report.add_write(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
