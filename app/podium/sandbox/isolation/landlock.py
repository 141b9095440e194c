"""Limits paths: with Landlock, a process gives up access to all files and folders that are not
named.

Works without privileges on Linux 5.13 and later. Stdlib only.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_PLEASE = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 2, 4, 8
TRUNCATE, DEVICE_CONTROL = 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL

READ = READ_FILE | READ_FOLDER
REMOVE_FOLDER, REMOVE_FILE, MAKE_FOLDER, MAKE_FILE = 1 << 4, 1 << 5, 1 << 7, 1 << 8
MOVE = 1 << 13
FILL = READ | WRITE_FILE | TRUNCATE | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE | MOVE
"""Regular files and folders, also moving them between folders of the same kind, and nothing else:
later readers of the folder must not meet symbolic links, pipes or devices."""

FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""All rights on files that a version of Landlock knows, by the first version that knows them."""

TCP_RIGHTS = 3
"""Binding and connecting, which version 4 can deny."""

SCOPES = 3
"""Abstract Unix sockets and signals to others, which version 6 can deny."""


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


WITHOUT = {
    errno.ENOSYS: "this kernel has no Landlock",
    errno.EOPNOTSUPP: "Landlock is switched off on this kernel (lsm=)",
    errno.EPERM: "the rules of this container forbid Landlock",
}
"""The reason why Landlock is unavailable, by the kernel's error."""


class _Path(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


def keep_only(
    libc: ctypes.CDLL,
    *,
    readable: Iterable[Path],
    writable: Iterable[Path],
    at_most: int | None = None,
) -> str:
    """Gives up access to all files but these (folders include everything below); returns the state.
    Never raises.

    Threads that already run keep their access: call it before there are any. `at_most` is the
    newest version of Landlock to use, to test the behavior of older kernels.
    """
    version = libc.syscall(CREATE_RULESET, None, 0, VERSION_PLEASE)
    if version < 0:
        return f"missing: {WITHOUT.get(ctypes.get_errno(), 'the kernel refuses Landlock')}"
    if at_most is not None:
        version = min(version, at_most)
    if version < 1:
        return f"missing: {WITHOUT[errno.ENOSYS]}"
    known = FILE_RIGHTS[max(first for first in FILE_RIGHTS if first <= version)]
    rules = _Rules(known, TCP_RIGHTS if version >= 4 else 0, SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = libc.syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return f"missing: error {ctypes.get_errno()}"
    try:
        for path in readable:
            _allow(libc, ruleset, path, READ & known)
        for path in writable:
            _allow(libc, ruleset, path, FILL & known)
        if libc.syscall(RESTRICT_SELF, ruleset, 0):
            return f"missing: error {ctypes.get_errno()}"
    finally:
        os.close(ruleset)
    return f"Landlock {version}"


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    # A path that does not exist cannot be opened, so skipping it denies nothing.
    with suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                rights &= OF_FILES
            rule = _Path(rights, descriptor)
            libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(descriptor)
