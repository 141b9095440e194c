"""The server's side of warm processes: starts them, requests children of them, replaces them.

A warm process is started like a child: an empty environment, a session of its own, no descriptors
but its socket. There is one for each environment, and another one for tasks that run an organizer's
code.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

from podium.sandbox import SandboxTask
from podium.sandbox.definitions.describing import Describe
from podium.sandbox.precedence import come_last
from podium.sandbox.warm import NEVER
from podium.sandbox.warm.polars_start import ENVIRONMENT

MAX_FORKS = 256
"""Children of one warm process, which all share its memory layout; then another one replaces it."""

MAX_FAILURES = 3
"""Warm processes in a row that end without a child, after which no more are started."""

PATIENCE_SECONDS = 60.0
"""Seconds to load everything on a busy machine; a process that takes longer is killed."""

OF_A_TASK = ("HOME", "TMPDIR")
"""Variables that differ for each child, which sets them after the fork."""


METRIC_PACKAGES = (
    "numpy.random",
    "polars",
    "pandas",
    "scipy.stats",
    "scipy.special",
    "sklearn.metrics",
)
"""Modules that metrics import; loading them loads their dependencies."""


class Started(Protocol):
    """A started process, with this part of the interface of `subprocess.Popen`."""

    @property
    def pid(self) -> int:
        """The process id, to which signals can be sent."""

    def wait(self) -> int:
        """Waits for its end; returns its exit status."""


def may_be_warm(task: SandboxTask[Any]) -> bool:
    """False for a task with a seed of Python's hashes, which a process has from its start on, and
    for reporting the isolation, which processes do that never judge."""
    if isinstance(task, Describe):
        return task.is_whole
    return task.hash_seed is None


class Forked:
    """A child that a warm process forked: a child of this process, like one started directly."""

    def __init__(self, process: int) -> None:
        self.pid = process

    def wait(self) -> int:
        """Waits for its end, only once; returns its exit status, as `subprocess` does."""
        try:
            _, status = os.waitpid(self.pid, 0)
        except ChildProcessError:
            # If SIGCHLD is ignored, the kernel keeps no status.
            return 0
        return os.waitstatus_to_exitcode(status)


class _NoChild(Exception):
    """A warm process returned no child; the text says why."""


@dataclass(slots=True)
class _Warm:
    process: subprocess.Popen[bytes]
    channel: socket.socket
    owner: int
    forks: int = 0

    def child(self, name: str, descriptors: Sequence[int]) -> Forked:
        """Forks a child for a task of this name. Raises `_NoChild`, and `OSError` if the machine
        has no room for another descriptor."""
        replies, reply = os.pipe()
        try:
            with suppress(OSError):
                socket.send_fds(self.channel, [name.encode()], [*descriptors, reply])
            os.close(reply)
            received = _until_closed(replies, PATIENCE_SECONDS)
            if received is None:
                self.end()
                received = _until_closed(replies, PATIENCE_SECONDS) or b""
        finally:
            os.close(replies)
        line = received.partition(b"\n")[0].decode()
        if not line.isdigit():
            raise _NoChild(line)
        return Forked(int(line))

    def end(self) -> None:
        """Ends the process; its children go on."""
        self.channel.close()
        if self.owner == os.getpid():
            self.process.kill()
            self.process.wait()


class WarmChildren:
    """Warm processes of a sandbox whose tasks are found in `tasks_module`; each is started when it
    is first needed. Thread-safe."""

    def __init__(self, tasks_module: str) -> None:
        self._tasks_module = tasks_module
        self._lock = threading.Lock()
        self._warm: dict[object, _Warm] = {}
        self._failures: dict[object, int] = {}
        self.latest = "warm, none so far"
        """The way in which the last child was started, for operators."""
        weakref.finalize(self, _end_all, self._warm)

    def start(
        self,
        task: SandboxTask[Any],
        environment: Mapping[str, str],
        scratch: Path,
        pipes: tuple[int, int],
    ) -> Forked | None:
        """Forks a child for this task, whose file is in `scratch`, with these pipes for its answer
        and its errors; returns None if the child has to be started directly. Raises `OSError`."""
        shared = {key: value for key, value in environment.items() if key not in OF_A_TASK}
        packages = METRIC_PACKAGES if task.RUNS_FOREIGN_CODE else ()
        kind = (packages, frozenset(shared.items()))
        with self._lock:
            if self._failures.get(kind, 0) >= MAX_FAILURES:
                return None
            warm = self._ready(kind, packages, shared)
            warm.forks += 1
        folder = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            forked = warm.child(task.NAME, (folder, *pipes))
        except _NoChild as error:
            self._failed(kind, warm, str(error))
            return None
        finally:
            os.close(folder)
        self._failures[kind] = 0
        self.latest = "warm: forked from a process that has loaded libraries and seen nothing else"
        return forked

    def _ready(
        self, kind: object, packages: Sequence[str], environment: Mapping[str, str]
    ) -> _Warm:
        found = self._warm.get(kind)
        if found is not None:
            is_ours = found.owner == os.getpid() and found.process.poll() is None
            if is_ours and found.forks < MAX_FORKS:
                return found
            found.end()
        start = partial(_started, self._tasks_module, packages, environment)
        warm = _starter(os.getpid()).done(start)
        self._warm[kind] = warm
        return warm

    def _failed(self, kind: object, warm: _Warm, reason: str) -> None:
        with self._lock:
            is_final = reason.startswith(NEVER)
            # If an ended process failed several callers at the same time, that counts once.
            if self._warm.get(kind) is warm and (is_final or not reason):
                del self._warm[kind]
                warm.end()
                self._failures[kind] = MAX_FAILURES if is_final else self._failures.get(kind, 0) + 1
            self.latest = f"each by itself: {reason or 'the warm process ended'}"


class _Starter:
    """A thread that starts processes, and never ends: the kernel kills a child when the thread that
    started it ends, and likewise children that a warm process forked for that thread."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[Callable[[], _Warm], Future[_Warm]]] = SimpleQueue()
        threading.Thread(target=self._serve, name="warm-starter", daemon=True).start()

    def done(self, start: Callable[[], _Warm]) -> _Warm:
        future: Future[_Warm] = Future()
        self._waiting.put((start, future))
        return future.result()

    def _serve(self) -> None:
        while True:
            start, future = self._waiting.get()
            try:
                future.set_result(start())
            except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
                future.set_exception(error)
            # The waiting thread must keep no object alive.
            del start, future


@lru_cache(maxsize=1)
def _starter(process: int) -> _Starter:
    """Returns the thread of this process; a forked process does not inherit its parent's."""
    return _Starter()


def _started(tasks_module: str, packages: Sequence[str], environment: Mapping[str, str]) -> _Warm:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        with theirs:
            number = theirs.fileno()
            command = [sys.executable, "-P", "-s", "-m", "podium.sandbox.warm.process"]
            process = subprocess.Popen(
                [*command, str(number), str(os.getpid()), tasks_module, *packages],
                cwd="/",
                env={**environment, **ENVIRONMENT},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(number,),
                start_new_session=True,
            )
    except BaseException:
        ours.close()
        raise
    # Its children inherit this.
    come_last(process.pid)
    return _Warm(process, ours, os.getpid())


def _until_closed(descriptor: int, seconds: float) -> bytes | None:
    """Returns all bytes until the other end is closed; None if it stays open for longer."""
    deadline, received = time.monotonic() + seconds, b""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    while poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
        piece = os.read(descriptor, 4096)
        if not piece:
            return received
        received += piece
    return None


def _end_all(warm: dict[object, _Warm]) -> None:
    for each in warm.values():
        each.end()
    warm.clear()
