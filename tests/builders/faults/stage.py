"""An installation of processes that start at once and end at any time, and its clients."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from podium.accounts.service.bootstrap import ensure_administrator
from podium.core.database.engine import Database
from tests.builders.faults import checker
from tests.builders.faults.history import History
from tests.builders.faults.stores import Folder, Store
from tests.builders.faults.waiting_tasks import WAITS, is_waiting
from tests.builders.machine.ports import free_ports
from tests.builders.processes.forks import Forked
from tests.builders.storm.files import KINDS, SESSIONS, TRUTH, File
from tests.builders.storm.storm import TOKEN, Address, open_competition
from tests.places import ROOT

SUBMISSIONS = "/api/v1/competitions/otto/submissions"
PATIENCE = 90.0
"""Seconds for anything that has to happen by itself."""

LEASE_SECONDS = 1.0

FORKING = "tests.builders.faults.forking"


class Process(Address):
    """A process of the installation; only an API answers at its port."""

    patience_seconds = PATIENCE

    def __init__(self, pid: int, port: int, up: Path) -> None:
        super().__init__(port)
        self.pid = pid
        self._up = up

    def go_on(self) -> None:
        """Lets it begin, or go on after `pause`."""
        os.kill(self.pid, signal.SIGCONT)

    def pause(self) -> None:
        """Stops it, and what it started, wherever they are."""
        os.killpg(self.pid, signal.SIGSTOP)

    def wait_until_up(self) -> None:
        """Waits until it serves or judges."""
        wait_for(lambda: self._up.exists() or not self.is_alive(), "a process that begins")
        assert self.is_alive(), "it ended before it began"

    def is_alive(self) -> bool:
        """True if it has not ended."""
        return state_of(self.pid) not in ("", "Z", "X")

    def waiting_children(self) -> list[int]:
        """Judge children of it that wait before they begin."""
        found: list[int] = []
        with suppress(FileNotFoundError, ProcessLookupError):
            for thread in Path(f"/proc/{self.pid}/task").iterdir():
                found += map(int, (thread / "children").read_text().split())
        return [pid for pid in found if is_waiting(pid)]

    def end(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Ends it and waits until it is gone."""
        # It may end between any two of these.
        with suppress(ProcessLookupError):
            if self.is_alive():
                os.kill(self.pid, number)
                os.kill(self.pid, signal.SIGCONT)
        wait_for(lambda: not self.is_alive(), "a process that ends")


class Stage:
    """One installation: its folder, its database, its forks, and what its clients saw."""

    def __init__(
        self, folder: Path, database_url: str, store: Store | None = None, **settings: str
    ) -> None:
        self.data = folder / "data"
        self.store = store or Folder(self.data)
        self.database_url = database_url
        self.history = History(folder / "history.jsonl")
        self.tokens: list[str] = []
        self.daily_limit = 999
        self._folder = folder
        self._settings = settings
        self._forks: list[_Forks] = []
        self._processes: list[Process] = []
        self._chance = random.Random(20261120)
        self._numbers = itertools.count()

    def open(self, *, teams: int = 1, daily_limit: int = 999) -> None:
        """Makes the administrator, and a launched competition with so many teams."""
        database = Database(self.database_url)
        with database.write() as session:
            ensure_administrator(session, token=TOKEN)
        database.close()
        self.daily_limit = daily_limit
        with self.running("worker"), self.running("api") as api:
            self.tokens = open_competition(
                api, teams, truth=checker.SECRET_TRUTH, daily_limit=daily_limit
            )

    def start(
        self, role: str, *, bug: str | None = None, begin: bool = True, log: str = ""
    ) -> Process:
        """A new `api` or `worker`; with `begin=False` it stays stopped before its first act. It
        writes to `log`, or to a file of all processes of its kind."""
        if not self._forks:
            self._forks.append(_Forks(self._folder, self._environment()))
        (port,) = free_ports(1)
        order = {
            "role": role,
            "port": port,
            "bug": bug,
            "log": log or str(self._folder / f"{role}.log"),
        }
        pid = self._forks[0].ask(order)
        process = Process(pid, port, self._folder / f"up-{pid}")
        self._processes.append(process)
        wait_for(lambda: state_of(pid) in ("T", ""), "a process that waits")
        assert state_of(pid), f"it ended before it began; see {order['log']}"
        if begin:
            process.go_on()
            process.wait_until_up()
        return process

    @contextmanager
    def running(self, role: str, *, log: str = "") -> Iterator[Process]:
        """A healthy process for the block; ends in an orderly way."""
        process = self.start(role, log=log)
        try:
            yield process
        finally:
            process.end(signal.SIGTERM)

    def file(self, *, waits: bool = False) -> File:
        """A good file that was not sent yet; with `waits`, its child stops before it judges."""
        number = next(self._numbers)
        lines = ["session_type,labels"]
        for session in SESSIONS:
            for kind in KINDS:
                guesses = [*TRUTH[session, kind], 1, 2] if self._chance.random() < 0.5 else [4]
                lines.append(f"{session}_{kind},{' '.join(map(str, [*guesses, 5000 + number]))}")
        end = WAITS if waits else b"\n"
        return File(f"file-{number}", "\n".join(lines).encode() + end, "scored")

    def send(
        self,
        api: Address,
        file: File,
        token: str | None = None,
        body: Iterable[bytes] | None = None,
    ) -> int:
        """One attempt to submit, on record; the status, 0 without an answer. With `body` the
        content is sent as it comes from there."""
        token = token or self.tokens[0]
        self.history.invoked(file, token)
        try:
            status, answer = api.ask("POST", SUBMISSIONS, body or file.content, token, **_key(file))
        except OSError:
            self.history.unanswered(file.key)
            return 0
        self.history.answered(file.key, status, answer)
        return status

    def resolve(self, api: Address) -> None:
        """Sends everything again that was not acknowledged, until it is."""
        deadline = time.monotonic() + PATIENCE
        while keys := self.history.unresolved():
            for key in keys:
                self.send(api, self.history.files[key], self.history.teams[key])
            assert time.monotonic() < deadline, f"never acknowledged: {keys}"
            time.sleep(0.1)

    def waiting(self) -> int:
        """Judgings without a verdict."""
        return self.count("SELECT count(*) FROM judgings WHERE state IN ('queued', 'judging')")

    def count(self, query: str) -> int:
        """The number that a query answers, however many others use the database."""
        engine = sa.create_engine(self.database_url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            return int(connection.execute(sa.text(query)).scalar_one())

    def says(self, role: str, *events: str) -> bool:
        """True if the log of a kind of process has one of these events."""
        log = (self._folder / f"{role}.log").read_text()
        return any(f'"{event}"' in log for event in events)

    def violations(self, *, child_deaths: int = 0) -> list[str]:
        """Lets a healthy installation finish everything, stops it, and looks at what is left."""
        with self.running("api") as api, self.running("worker"):
            self.resolve(api)
            wait_for(self.is_judged, "verdicts", PATIENCE + 5 * self.waiting())
            wait_for(lambda: self.count(UNDER_WAY) == 0, "slots that lapse")
            for token in self.tokens:
                # What participants read is on record, too: nothing of it may be a secret.
                self._read(api, token)
        for process in self._processes:
            process.end(signal.SIGTERM)
        return checker.violations(
            self.database_url,
            self.data,
            self.store,
            self.history,
            daily_limit=self.daily_limit,
            child_deaths=child_deaths,
        )

    def lost(self) -> list[str]:
        """The losses of a single fault so far."""
        return checker.lost(self.database_url, self.store, self.history)

    def described(self) -> str:
        """Its database and where its files are."""
        kind = "SQLite" if self.database_url.startswith("sqlite") else "PostgreSQL"
        return f"{kind}, {self.store.kind}"

    def close(self) -> None:
        """Ends every process."""
        for process in self._processes:
            process.end()
        for forks in self._forks:
            forks.close()

    def is_judged(self) -> bool:
        """True if nothing waits for a verdict; children that wait go on."""
        for process in self._processes:
            for child in process.waiting_children():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGCONT)
        return self.waiting() == 0

    def _read(self, api: Address, token: str) -> None:
        for path in (SUBMISSIONS, "/api/v1/competitions/otto/leaderboard"):
            status, answer = api.ask("GET", path, None, token)
            assert status == 200, answer
            self.history.read(path, answer)

    def _environment(self) -> dict[str, str]:
        return os.environ | {
            "PYTHONPATH": str(ROOT),
            "PODIUM_DATA_DIR": str(self.data),
            "PODIUM_DATABASE_URL": self.database_url,
            "PODIUM_MIN_FREE_BYTES": "0",
            "PODIUM_LEASE_SECONDS": str(LEASE_SECONDS),
            "PODIUM_UPLOAD_LEASE_SECONDS": str(LEASE_SECONDS),
            "PODIUM_RECONCILE_SECONDS": "0.2",
            "PODIUM_JUDGING_MEMORY_BYTES": str(2 << 30),
            "PODIUM_JUDGING_RETRY_MEMORY_BYTES": str(2 << 30),
            **self.store.settings,
            **self._settings,
        }


class _Forks:
    """The process that forks those of a stage."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        given, self._orders = os.pipe()
        self._answers, told = os.pipe()
        with (folder / "forks.log").open("ab") as log, os.fdopen(given, "rb") as orders:
            self._process: Forked | subprocess.Popen[bytes]
            if "LD_PRELOAD" in environment:
                # A library that is loaded before anything else takes an interpreter of its own.
                self._process = subprocess.Popen(
                    [sys.executable, "-m", FORKING, folder],
                    env=environment,
                    stdin=orders,
                    stdout=told,
                    stderr=log,
                )
            else:
                self._process = Forked(
                    [str(folder)],
                    module=FORKING,
                    environment=environment,
                    cwd=ROOT,
                    stdin=orders,
                    stdout=told,
                    stderr=log,
                )
        os.close(told)

    def ask(self, order: dict[str, Any]) -> int:
        """The id of the process that was ordered."""
        os.write(self._orders, json.dumps(order).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            piece = os.read(self._answers, 64)
            assert piece, "the process that forks has ended; see forks.log"
            answer += piece
        return int(answer)

    def close(self) -> None:
        """Ends it; those that it forked live on."""
        self._process.kill()
        self._process.wait()
        os.close(self._orders)
        os.close(self._answers)


UNDER_WAY = "SELECT count(*) FROM quota_slots WHERE submission_id IS NULL"


def wait_for(is_done: Callable[[], Any], what: str, seconds: float = PATIENCE) -> None:
    """Returns as soon as it holds."""
    deadline, pause = time.monotonic() + seconds, 0.01
    while not is_done():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(pause)
        # To ask a database is work for it, too.
        pause = min(1.2 * pause, 0.1)


def state_of(pid: int) -> str:
    """The kernel's letter for what a process does; empty when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _key(file: File) -> dict[str, str]:
    return {"Idempotency_Key": file.key}
