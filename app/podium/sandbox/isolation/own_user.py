"""A user of its own for the child, if the service is root and may change users.

The child is then a stranger to everything of the service: it owns none of its files and may signal
none of its processes, even if the kernel's other mechanisms miss something. It keeps no capability:
its files are opened before, and `passages` lead to its folder and to libraries. Stdlib only.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import re
from pathlib import Path

USER = 64_747
"""Number of the user and of its group; no system assigns it to anyone."""

USERS_OF_CODE = 256
"""The number of further users, numbered above it, that children with an organizer's code take in
turn: so two such children at a time are strangers to each other, too, and the kernel counts the
threads of each separately."""

_turns = itertools.count(os.getpid())

KEEP_CAPABILITIES = 8
CAPABILITIES_VERSION = 0x20080522
READ_EVERYWHERE = 1 << 2
DROP_FROM_BOUNDS, CAPABILITIES = 24, 64

READS_EVERYTHING = "dropped but for reading everything"
"""The beginning of the state if libraries cannot be reached in any other way."""

NEEDED = sum(1 << number for number in (0, 1, 2, 3, 5, 6, 7, 19, 21))
"""Capabilities that the parent needs for another user's child: give it its folder, look into that,
set modes, kill it, become its user, see what it writes (chown, two of reading and writing, fowner,
kill, setgid, setuid, ptrace); and that the child needs at first: leave the network without a user
namespace, and open passages (sys_admin)."""

EFFECTIVE = re.compile(r"^CapEff:\s+([0-9a-f]+)$", re.MULTILINE)


def given(scratch: Path, *, runs_code: bool = False) -> int | None:
    """Gives a child's folder with its contents to a user of its own, and returns that user; None if
    the child stays the user of the service."""
    if os.geteuid() != 0 or not _has_all(NEEDED):
        return None
    user = USER + 1 + next(_turns) % USERS_OF_CODE if runs_code else USER
    try:
        # The folder last: before, no other user can enter it.
        for folder, folders, files in os.walk(scratch, topdown=False):
            for name in (*folders, *files):
                os.chown(Path(folder, name), user, user, follow_symlinks=False)
        os.chown(scratch, user, user, follow_symlinks=False)
    except OSError:
        # In a user namespace that does not map this user.
        return None
    return user


def become(libc: ctypes.CDLL, user: int | None, *, closed: str = "") -> str:
    """Drops all privileges and becomes this user; returns the state. With a reason in `closed`,
    some libraries are closed to that user, and it keeps the capability to read every file."""
    for capability in range(CAPABILITIES):
        # No program is started that could regain them; if the kernel refuses this, that is enough.
        libc.prctl(DROP_FROM_BOUNDS, capability, 0, 0, 0)
    if user is None:
        return _drop_others(libc, 0) or "dropped, no new ones; the user of the service"
    libc.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
    try:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError as error:
        return f"missing: {error}"
    held, state = (READ_EVERYWHERE, f"{READS_EVERYTHING} ({closed})") if closed else (0, "dropped")
    return _drop_others(libc, held) or f"{state}, no new ones; user {user}, of its own"


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


def _drop_others(libc: ctypes.CDLL, capabilities: int) -> str | None:
    """Drops all capabilities but these; returns the error, or None."""
    header = _Header(CAPABILITIES_VERSION, 0)
    # Effective, permitted, inheritable; the second three are for capabilities above 31.
    sets = (ctypes.c_uint32 * 6)(capabilities, capabilities)
    failed = libc.capset(ctypes.byref(header), ctypes.byref(sets))
    return f"missing: error {ctypes.get_errno()}" if failed else None


def _has_all(capabilities: int) -> bool:
    found = EFFECTIVE.search(Path("/proc/self/status").read_text())
    return found is not None and int(found[1], 16) & capabilities == capabilities
