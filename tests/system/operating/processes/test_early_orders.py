"""SIGTERM at any moment of a start, to a process that the kernel protects as it does a container's
first one: without a handler of its own, the signal would be dropped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.builders.processes.commands import Person
from tests.places import ROOT

FIRST_OF_A_CONTAINER = ["unshare", "--pid", "--fork"]

HEAVY = ("pydantic_core", "sqlalchemy", "greenlet", "polars", "psycopg")
"""Modules that take long to load, some of which every start needs."""


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    tried = subprocess.run([*FIRST_OF_A_CONTAINER, "true"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"no namespaces of processes here: {tried.stderr.strip()}")


class First:
    """A command as the first process of a namespace."""

    def __init__(self, home: Path, *command: str) -> None:
        self.process = subprocess.Popen(
            [*FIRST_OF_A_CONTAINER, sys.executable, "-m", "podium.cli", *command],
            cwd=home,
            env=Person(home).environment(PYTHONPATH=str(ROOT), PODIUM_MIN_FREE_BYTES="0"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        self._until(lambda: bool(children.read_text()))
        self.pid = int(children.read_text())

    def wait_until_it_listens(self) -> None:
        """Waits until it handles SIGTERM, by the kernel's own account."""
        bit = 1 << (signal.SIGTERM - 1)
        self._until(lambda: bool(self._handled() & bit))

    def loaded(self) -> str:
        """The files that it has mapped."""
        return Path(f"/proc/{self.pid}/maps").read_text()

    def leaves(self) -> int:
        """Its exit code, once it was told to leave."""
        os.kill(self.pid, signal.SIGTERM)
        return self.process.wait(timeout=60)

    def end(self) -> None:
        """Ends it if it has not ended."""
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def _handled(self) -> int:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return int(line.split()[1], 16)
        return 0

    def _until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 120
        while not condition():
            assert self.process.poll() is None, "it has ended"
            assert time.monotonic() < deadline, "it did not come about in time"
            time.sleep(0.002)


@contextmanager
def _first(home: Path, *command: str) -> Iterator[First]:
    first = First(home, *command)
    try:
        yield first
    finally:
        first.end()


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("worker",), ("migrate",)])
def test_an_order_before_anything_heavy_is_loaded_is_obeyed(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    with _first(tmp_path, *command) as first:
        first.wait_until_it_listens()
        loaded = first.loaded()
        assert first.leaves() == 143
    assert not [name for name in HEAVY if name in loaded]


@pytest.mark.timeout(600)
def test_an_order_at_any_later_moment_is_obeyed_and_the_next_start_succeeds(
    tmp_path: Path,
) -> None:
    for seconds in (0.1, 0.5, 1.0, 1.5, 2.5):
        with _first(tmp_path, "serve", "--port", "0") as first:
            first.wait_until_it_listens()
            time.sleep(seconds)
            assert first.leaves() in (0, 143)
    with _first(tmp_path, "serve", "--port", "0") as first:
        assert first.process.stdout is not None
        assert any(line.startswith("Podium answers") for line in first.process.stdout)
        assert first.leaves() == 0
