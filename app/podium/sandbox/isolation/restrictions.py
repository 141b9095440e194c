"""The restrictions that isolate a child, which it takes on before it reads the first foreign byte.

Limits of the kernel (always), an end with its parent (always), no network, no other files, no other
programs (by the strongest means of this machine). Stdlib only, no threads yet.
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
"""Descriptors of a child: Polars opens files by threads."""

OPEN_FILES_OF_CODE = 64

RESERVED_BYTES = 4 << 30
"""Address space beyond the memory limit: Polars and its allocator reserve much that they never
use, and can hang where reserving fails. What is really used, the parent watches."""

CPU_GRACE_SECONDS = 5
"""Between the signal that a CPU limit sends first and the one that cannot be ignored."""


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
    # Python ignores this signal, so that a write fails instead; we want the end to be clear.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)


def stand_back() -> None:
    """Has this process work only while no other wants the processors, its reading and writing
    included; it cannot take that back."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


class NotIsolated(Exception):
    """The parts of the isolation that this machine lacks, by name."""


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
    """Gives up everything that a judging does not need; answers the state of each part of the
    isolation, by name. A state that begins with `missing` is a part that this machine lacks.
    `user` is the one that the process becomes; None leaves it who it is. To that user `passages`
    are opened; with `closed`, a part of the libraries to which none leads, it may read everything.
    `most_threads` are counted by the kernel where it counts them by themselves: for a user, or a
    namespace of users, that no other process has."""
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    network, is_alone = _leave_network(libc)
    if user is not None:
        closed = closed or open_passages(libc, passages)
        # The same folder by the way that is open.
        os.chdir(scratch)
    isolation = {
        "network": network,
        "files": keep_only(libc, readable=readable, writable=[scratch], at_most=landlock_at_most),
        "privileges": become(libc, user, closed=closed),
    }
    if most_threads is not None and (is_alone or user is not None):
        _lower(resource.RLIMIT_NPROC, most_threads, most_threads)
    # With another user the kernel forgets with whom the process was to end.
    die_with(parent, libc)
    return isolation | {"system calls": refuse_calls(libc)}


STOPS = {
    "network": "connections to other machines and to services of this one",
    "files": "reading and writing other files than its own",
    "privileges": "what the service's user, or root, may do",
    "system calls": "new processes, signals to others, and all that no scoring needs of the kernel",
}
"""The acts of a hostile file or metric that each part of the isolation stops."""


def missing_from(isolation: Mapping[str, str]) -> dict[str, str]:
    """The parts of the isolation that are missing, and why."""
    return {name: state for name, state in isolation.items() if state.startswith("missing")}


def told(isolation: Mapping[str, str]) -> str:
    """The parts of the isolation and their states as a part of a sentence."""
    return ", ".join(f"{name} ({state})" for name, state in isolation.items())


def require_isolation(isolation: Mapping[str, str]) -> None:
    """Raises `NotIsolated` unless every part is in place."""
    if missing := missing_from(isolation):
        raise NotIsolated(told(missing))


def _lower(what: int, soft: int, hard: int) -> None:
    _, ceiling = resource.getrlimit(what)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(what, (soft, hard))


def _leave_network(libc: ctypes.CDLL) -> tuple[str, bool]:
    """The state, and whether the process is now in a namespace of users of its own."""
    if libc.unshare(NEW_NETWORK) == 0:
        return "namespace of its own", False
    # An ordinary user may have a network namespace only together with a user namespace.
    if libc.unshare(NEW_USER | NEW_NETWORK) == 0:
        return "namespace of its own", True
    return "no namespace: only the refused system calls keep it off", False
