"""A fork whose child belongs to the parent of the forking process.

The server reaps, measures and kills a warm child exactly like one that it started itself, and the
end of the warm process does not affect it. Without threads only. Stdlib only.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
from pathlib import Path

from podium.sandbox.isolation.seccomp import CLONE, MACHINES

SHARE_PARENT, CLEAR_THREAD, SET_THREAD = 0x00008000, 0x00200000, 0x01000000
"""The new process is our sibling; the kernel writes its number where the C library stores it, as
the library's own `fork` requests."""

GET_THREAD_ADDRESS = 40

LIBC = ctypes.PyDLL(None, use_errno=True)
"""Called without releasing the interpreter lock, because the interpreter is being forked."""

LIBC.syscall.restype = ctypes.c_long


class CannotFork(Exception):
    """The machine or the process can never fork in this way; the text says why."""


def _require_one_thread() -> None:
    """Raises `CannotFork` if other threads run: the child would have none of them, but all of their
    locks."""
    try:
        count = len(list(Path("/proc/self/task").iterdir()))
    except OSError as error:
        raise CannotFork(f"threads cannot be counted: {error}") from None
    if count != 1:
        raise CannotFork(f"{count} threads run in the warm process")


def fork_a_sibling() -> int:
    """Forks; returns 0 in the child, and the child's number in this process. Raises `OSError`, and
    `CannotFork` if it never can."""
    _require_one_thread()
    own = _thread_number()
    if platform.machine() not in MACHINES:
        raise CannotFork(f"no number of the call for {platform.machine()}")
    column, _ = MACHINES[platform.machine()]
    number = ctypes.c_long(CLONE[column] or 0)
    flags = ctypes.c_ulong(SHARE_PARENT | SET_THREAD | CLEAR_THREAD | signal.SIGCHLD)
    # The last two arguments are swapped between machines, so both get the address; one is ignored.
    ctypes.pythonapi.PyOS_BeforeFork()
    process = LIBC.syscall(number, flags, None, None, own, own)
    error = ctypes.get_errno()
    if process == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    if process < 0:
        raise OSError(error, os.strerror(error))
    return int(process)


def _thread_number() -> ctypes.c_void_p:
    """Returns the address where the C library stores the number of this thread. Raises
    `CannotFork`."""
    place = ctypes.c_void_p()
    if LIBC.prctl(GET_THREAD_ADDRESS, ctypes.byref(place), 0, 0, 0) or not place.value:
        raise CannotFork("the kernel does not tell where the C library keeps a thread's number")
    if ctypes.c_int.from_address(place.value).value != os.getpid():
        raise CannotFork("this C library keeps the number of a thread elsewhere")
    return place
