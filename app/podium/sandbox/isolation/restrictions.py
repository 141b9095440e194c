"""The restrictions that isolate a child, applied before it reads the first untrusted byte.

Always the kernel's limits, and an end together with its parent; by the strongest means of this
machine no network, no other files, no other programs. Stdlib only, no threads yet.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from podium.sandbox.isolation.landlock import keep_only
from podium.sandbox.isolation.own_user import become
from podium.sandbox.isolation.passages import Passage, open_passages
from podium.sandbox.isolation.seccomp import refuse_calls

SET_PDEATHSIG, NO_NEW_PRIVILEGES = 1, 38
NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000

OPEN_FILES = 256
"""Open descriptors of a child: Polars opens files in several threads."""

OPEN_FILES_OF_CODE = 64

RESERVED_BYTES = 4 << 30
"""Address space beyond the memory limit: Polars and its allocator reserve much that they never use,
and can hang if a reservation fails. The parent watches the memory in use."""

CPU_GRACE_SECONDS = 5
"""Seconds between the first signal of the CPU limit and the one that cannot be ignored."""


def die_with(parent: int, libc: ctypes.CDLL) -> None:
    """Makes the kernel kill this process when the thread that started it ends."""
    libc.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def limit(
    *, memory_bytes: int, cpu_seconds: int, file_bytes: int, open_files: int = OPEN_FILES
) -> None:
    """Sets the kernel's limits; each can only be lowered afterwards."""
    for what, amount in (
        (resource.RLIMIT_AS, memory_bytes + RESERVED_BYTES),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, open_files),
    ):
        _lower(what, amount, amount)
    _lower(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + CPU_GRACE_SECONDS)
    # Python ignores this signal, so that a write fails instead; we want the signal as the exit
    # status.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def stand_back() -> None:
    """Makes this process, including its I/O, run only while no other process wants the processors;
    irrevocable."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


class NotIsolated(Exception):
    """Parts of the isolation are missing on this machine; the text names them."""


def isolate(
    libc: ctypes.CDLL,
    *,
    readable: Iterable[Path],
    scratch: Path,
    user: int | None = None,
    passages: Iterable[Passage] = (),
    closed: str = "",
    parent: int,
    landlock_at_most: int | None = None,
    most_threads: int | None = None,
) -> dict[str, str]:
    """Gives up everything that a judging does not need; returns the state of each part of the
    isolation, by name. A state that begins with `missing` is a part that this machine lacks.

    The process becomes `user`; None: it stays who it is. `passages` are opened for that user; with
    a reason in `closed`, some libraries have no passage, and it may read every file instead. The
    kernel enforces `most_threads` where it counts them for this child alone: for a user, or a user
    namespace, that no other process has.
    """
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    network, is_alone = _leave_network(libc)
    if user is not None:
        closed = closed or open_passages(libc, passages)
        # The same folder, reached through the passage.
        os.chdir(scratch)
    isolation = {
        "network": network,
        "files": keep_only(libc, readable=readable, writable=[scratch], at_most=landlock_at_most),
        "privileges": become(libc, user, closed=closed),
    }
    if most_threads is not None and (is_alone or user is not None):
        _lower(resource.RLIMIT_NPROC, most_threads, most_threads)
    # A change of the user clears the request to end with the parent.
    die_with(parent, libc)
    return isolation | {"system calls": refuse_calls(libc)}


STOPS = {
    "network": "connections to other machines and to services of this one",
    "files": "reading and writing other files than its own",
    "privileges": "what the service's user, or root, may do",
    "system calls": "new processes, signals to others, and all that no scoring needs of the kernel",
}
"""The actions of a hostile file or metric that each part of the isolation prevents."""


def missing_from(isolation: Mapping[str, str]) -> dict[str, str]:
    """Returns the missing parts of the isolation, with reasons."""
    return {name: state for name, state in isolation.items() if state.startswith("missing")}


def in_words(isolation: Mapping[str, str]) -> str:
    """Returns the parts of the isolation with their states, as part of a sentence."""
    return ", ".join(f"{name} ({state})" for name, state in isolation.items())


def require_isolation(isolation: Mapping[str, str]) -> None:
    """Raises `NotIsolated` unless every part is in place."""
    if missing := missing_from(isolation):
        raise NotIsolated(in_words(missing))


def _lower(what: int, soft: int, hard: int) -> None:
    _, ceiling = resource.getrlimit(what)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(what, (soft, hard))


def _leave_network(libc: ctypes.CDLL) -> tuple[str, bool]:
    """Returns the state, and whether the process is now in a user namespace of its own."""
    if libc.unshare(NEW_NETWORK) == 0:
        return "namespace of its own", False
    # Ordinary users may create a network namespace only together with a user namespace.
    if libc.unshare(NEW_USER | NEW_NETWORK) == 0:
        return "namespace of its own", True
    return "no namespace: only the refused system calls keep it off", False
