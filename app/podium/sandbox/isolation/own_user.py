"""A user of its own for the child, where the service is root and may give one away.

To everything of the service the child is then a stranger: it owns none of its files and may send
signals to none of its processes, whatever the kernel's other mechanisms forget. It keeps no
capability: its files are open before, and `passages` lead to its folder and to libraries. Stdlib
only.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import re
from pathlib import Path

USER = 64_747
"""Number of the user and of its group; no system gives it to anybody."""

USERS_OF_CODE = 256
"""Numbers above it that children take in turn which run code of others: two at a time are strangers
to each other, too, and the threads of each are counted by themselves."""

_turns = itertools.count(os.getpid())

KEEP_CAPABILITIES = 8
CAPABILITIES_VERSION = 0x20080522
READ_EVERYWHERE = 1 << 2
DROP_FROM_BOUNDS, CAPABILITIES = 24, 64

READS_EVERYTHING = "dropped but for reading everything"
"""The beginning of the state where libraries can be reached in no other way."""

NEEDED = sum(1 << number for number in (0, 1, 2, 3, 5, 6, 7, 19, 21))
"""Capabilities that the parent needs for another user's child: give it its folder, look into that,
set modes, end it, become it, see what it writes (chown, two of reading and writing, fowner, kill,
setgid, setuid, ptrace); and that the child needs before: leave the network without leaving the
users, and open passages (sys_admin)."""

EFFECTIVE = re.compile(r"^CapEff:\s+([0-9a-f]+)$", re.MULTILINE)


def given(scratch: Path, *, runs_code: bool = False) -> int | None:
    """The user that a child in this folder becomes, which now owns all of it; None where the child
    stays the user of the service."""
    if os.geteuid() != 0 or not _has_all(NEEDED):
        return None
    user = USER + 1 + next(_turns) % USERS_OF_CODE if runs_code else USER
    try:
        # The folder last: until it is given, no other user can enter it.
        for folder, folders, files in os.walk(scratch, topdown=False):
            for name in (*folders, *files):
                os.chown(Path(folder, name), user, user, follow_symlinks=False)
        os.chown(scratch, user, user, follow_symlinks=False)
    except OSError:
        # In a namespace of users that does not know this one.
        return None
    return user


def become(libc: ctypes.CDLL, user: int | None, *, closed: str = "") -> str:
    """Gives up all privileges, and the user of the service for this one; answers the state. Only
    where libraries are `closed` to it, for the reason told, it may go on reading everything."""
    for capability in range(CAPABILITIES):
        # No program is started that could get them back; where it is refused, that is enough.
        libc.prctl(DROP_FROM_BOUNDS, capability, 0, 0, 0)
    if user is None:
        return _kept(libc, 0) or "dropped, no new ones; the user of the service"
    libc.prctl(KEEP_CAPABILITIES, 1, 0, 0, 0)
    try:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    except OSError as error:
        return f"missing: {error}"
    kept, state = (READ_EVERYWHERE, f"{READS_EVERYTHING} ({closed})") if closed else (0, "dropped")
    return _kept(libc, kept) or f"{state}, no new ones; user {user}, of its own"


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("process", ctypes.c_int))


def _kept(libc: ctypes.CDLL, capabilities: int) -> str | None:
    """Drops all other capabilities; what went wrong, or None."""
    header = _Header(CAPABILITIES_VERSION, 0)
    # Effective, permitted, inheritable; the second three are those above 31.
    kept = (ctypes.c_uint32 * 6)(capabilities, capabilities)
    failed = libc.capset(ctypes.byref(header), ctypes.byref(kept))
    return f"missing: error {ctypes.get_errno()}" if failed else None


def _has_all(capabilities: int) -> bool:
    found = EFFECTIVE.search(Path("/proc/self/status").read_text())
    return found is not None and int(found[1], 16) & capabilities == capabilities
