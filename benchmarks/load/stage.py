"""The cluster that load and soak runs use, and what its processes take of the machine."""

from __future__ import annotations

import os
import resource
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.load.season import open_competition
from tests.builders.cluster import Cluster
from tests.builders.servers import postgres, s3

SETTINGS = {
    "PODIUM_MIN_FREE_BYTES": "0",
    "PODIUM_JUDGING_SLOTS": "1",
    "PODIUM_JUDGING_MEMORY_BYTES": str(2 << 30),
    "PODIUM_JUDGING_RETRY_MEMORY_BYTES": str(2 << 30),
    "PODIUM_LOG_FORMAT": "json",
}

WORKER_NICENESS = 10
"""Workers stand on machines of their own; here they at least let the replicas go first."""

DESCRIPTORS = 8192


@dataclass(frozen=True, slots=True)
class Sample:
    """One look at a process: seconds of the monotonic clock, bytes of its own memory (resident),
    open descriptors, and its id, which changes when it was started again."""

    at: float
    rss: int
    descriptors: int
    pid: int


@contextmanager
def cluster() -> Iterator[Cluster]:
    """PostgreSQL, a bucket, two replicas and two workers, with the competition open."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, hard), hard))
    database_url, stop_database = postgres.start()
    try:
        server, stop_server = s3.start()
        try:
            with tempfile.TemporaryDirectory(prefix="podium-load-") as folder:
                place = server.address("podium", "load")
                environment = server.environment | SETTINGS
                # Looked at from here, too, by those that check.
                os.environ.update(server.environment)
                with Cluster(Path(folder), database_url, place, environment=environment) as here:
                    open_competition(here.addresses[0], here.token, here.folder)
                    for name in here.parts:
                        be_polite(here, name)
                    yield here
        finally:
            stop_server()
    finally:
        stop_database()


def be_polite(here: Cluster, name: str) -> None:
    """Lowers the priority of a worker, and so of its children."""
    process = here.parts[name].process
    if name.startswith("worker") and process is not None:
        psutil.Process(process.pid).nice(WORKER_NICENESS)
        # Every part is a session of its own, which the kernel may weigh as a whole.
        with suppress(OSError):
            Path(f"/proc/{process.pid}/autogroup").write_text(str(WORKER_NICENESS))


class Watch:
    """Looks at every process of the cluster a few times a second, until it is stopped."""

    def __init__(self, here: Cluster, *, every_seconds: float = 0.25) -> None:
        self.samples: dict[str, list[Sample]] = {name: [] for name in here.parts}
        self._here = here
        self._every = every_seconds
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, name="watch", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def most_rss(self, prefix: str, *, since: float = 0.0) -> int:
        """The most bytes that one of the processes of this kind held since then."""
        return max(
            (
                sample.rss
                for name, samples in self.samples.items()
                if name.startswith(prefix)
                for sample in samples
                if sample.at >= since
            ),
            default=0,
        )

    def _go_on(self) -> None:
        while not self._is_over.wait(self._every):
            for name, part in self._here.parts.items():
                if part.process is None or part.process.poll() is not None:
                    continue
                try:
                    seen = psutil.Process(part.process.pid)
                    sample = Sample(
                        time.monotonic(), seen.memory_info().rss, seen.num_fds(), seen.pid
                    )
                except psutil.Error:
                    # It ended between two questions.
                    continue
                self.samples[name].append(sample)
