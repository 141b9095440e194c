"""Filters system calls: a small BPF program allows those that a judging needs, and refuses all
others.

Most calls are allowed by number (`calls`), some by an argument: threads remain possible but no
processes, signals reach this process only. Stdlib only: it runs before all other imports.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Sequence

from podium.sandbox.isolation import calls
from podium.sandbox.isolation.calls import Numbers

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column in the tables of calls, and the kernel's identifier of the architecture."""

LOAD, AND, RETURN = 0x20, 0x54, 0x06
JUMP_EQUAL, JUMP_ABOVE, JUMP_FROM, JUMP_BITS = 0x15, 0x25, 0x35, 0x45
ALLOW, KILL = 0x7FFF0000, 0x80000000
NOT_PERMITTED, NO_SUCH_CALL = 0x00050000 | 1, 0x00050000 | 38
"""A refused call fails in the child without being counted: reporting it to the parent would need a
kernel that supports that, a free slot for its listener, and a parent that answers every call at
once."""
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
X32_CALLS = 0x40000000

SYS_SECCOMP = (317, 277)
SET_MODE_FILTER, ALL_THREADS = 1, 1

CLONE: Numbers = (56, 220)
CLONE_THREAD, NEW_NAMESPACES = 0x00010000, 0x7E020000

BEHIND_POINTERS: dict[str, Numbers] = {"clone3": (435, 435), "openat2": (437, 437)}
"""Calls whose flags are behind a pointer, which BPF cannot follow. They fail as nonexistent, so
that libraries use the older call, whose flags are arguments."""

ONLY_OWN: dict[str, Numbers] = {
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
    "getpgid": (121, 155),
    "getsid": (124, 156),
}
"""Calls whose first argument is a process; 0 is the caller. Python and the C library query their
own limits, and end themselves by a signal."""

ONLY_OWN_OR_NONE: dict[str, Numbers] = {
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
}
"""The same for queries that the C library also makes about threads, whose numbers the filter does
not know. For these the calls fail as nonexistent: the library continues without an answer."""

CLOCKS = tuple(range(12))
"""Clocks of the machine, and of the calling process and thread. Clocks of other processes have
negative numbers, and reveal their activity."""

OPENING: dict[str, tuple[Numbers, int]] = {"open": ((2, None), 1), "openat": ((257, 56), 2)}
"""Calls that open a file, and the index of the argument with the flags."""

WAY, TRUNCATE = 0o3, 0o1000
"""Bits of these flags: access mode, and truncation. Opening for neither reading nor writing, and
truncating while opening for reading, would bypass a Landlock that does not know of truncation."""

MMAP: Numbers = (9, 222)
SHARED_AND_OF_NO_FILE = 0x21

ONLY_FIRST: dict[str, tuple[Numbers, tuple[int, ...]]] = {
    # Whether it is dumpable, names of threads, whether it is filtered, slack of timers, new
    # privileges, huge pages, vectors and matrices of ARM, tagged addresses, names of memory. Other
    # values would cancel the end with the parent, change whether the parent may see what is
    # written, or share a core with another process.
    "prctl": (
        (157, 167),
        (3, 15, 16, 21, 29, 30, 39, 41, 42, 50, 51, 55, 56, 63, 64, 0x53564D41),
    ),
    "clock_gettime": ((228, 113), CLOCKS),
    "clock_getres": ((229, 114), CLOCKS),
    "clock_nanosleep": ((230, 115), CLOCKS),
}
ONLY_SECOND: dict[str, tuple[Numbers, tuple[int, ...]]] = {
    # TCGETS and TCGETS2 (is it a terminal?), TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX and FIOCLEX.
    # Others change files (their flags, their sealing) or send signals.
    "ioctl": ((16, 29), (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    # Duplicating descriptors, their flags and those of the file. Others lock files that processes
    # of the service may want, redirect signals, lease files, or enlarge pipes.
    "fcntl": ((72, 25), (0, 1, 2, 3, 4, 1030)),
}
ONLY_FIFTH: dict[str, tuple[Numbers, tuple[int, ...]]] = {
    # Renaming, and renaming without replacing. The third mode leaves a device behind.
    "renameat2": ((316, 276), (0, 1)),
}
"""Calls that are allowed for some values of an argument: by name, their numbers, the index of the
argument, and the values."""

Step = tuple[int, int, int, int]
ALLOWED: Step = (RETURN, 0, 0, ALLOW)
REFUSED: Step = (RETURN, 0, 0, NOT_PERMITTED)
UNKNOWN: Step = (RETURN, 0, 0, NO_SUCH_CALL)

THREADS_ONLY: list[Step] = [
    (LOAD, 0, 0, ARGUMENTS_AT),
    (JUMP_BITS, 1, 0, CLONE_THREAD),
    REFUSED,
    (JUMP_BITS, 0, 1, NEW_NAMESPACES),
    REFUSED,
    ALLOWED,
]
OF_FILES_OR_PRIVATE: list[Step] = [
    (LOAD, 0, 0, ARGUMENTS_AT + 8 * 3),
    (AND, 0, 0, SHARED_AND_OF_NO_FILE),
    (JUMP_EQUAL, 0, 1, SHARED_AND_OF_NO_FILE),
    REFUSED,
    ALLOWED,
]


def program(machine: str, *, process: int) -> bytes:
    """Returns the BPF instructions for a machine (`platform.machine()`) and a process that may
    signal only itself. Raises KeyError for an unknown machine."""
    column, architecture = MACHINES[machine]
    steps: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == "x86_64":
        # In the x32 ABI the same calls have second numbers; none of our code uses them.
        steps += [(JUMP_FROM, 0, 1, X32_CALLS), (RETURN, 0, 0, KILL)]
    for numbers in BEHIND_POINTERS.values():
        steps += _where(numbers[column], [UNKNOWN])
    for numbers, judged in _by_argument(process):
        steps += _where(numbers[column], judged)
    steps += [(JUMP_ABOVE, 0, 1, calls.NEWEST), UNKNOWN]
    steps += _among(_allowed(column))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _allowed(column: int) -> list[int]:
    numbers = (entry[column] for entry in calls.ALLOWED.values())
    return [number for number in numbers if number is not None]


def _where(number: int | None, judged: list[Step]) -> list[Step]:
    """Returns steps that decide about one call and skip all others; `judged` never runs past its
    end."""
    return [] if number is None else [(JUMP_EQUAL, 0, len(judged), number), *judged]


def _by_argument(process: int) -> list[tuple[Numbers, list[Step]]]:
    """Returns the calls that are decided by an argument, each with its steps."""
    return [
        (CLONE, THREADS_ONLY),
        (MMAP, OF_FILES_OR_PRIVATE),
        *((numbers, _only(0, (0, process))) for numbers in ONLY_OWN.values()),
        *(
            (numbers, _only(0, (0, process), otherwise=UNKNOWN))
            for numbers in ONLY_OWN_OR_NONE.values()
        ),
        *((numbers, _only(0, values)) for numbers, values in ONLY_FIRST.values()),
        *((numbers, _only(1, values)) for numbers, values in ONLY_SECOND.values()),
        *((numbers, _only(4, values)) for numbers, values in ONLY_FIFTH.values()),
        *((numbers, _opening(flags)) for numbers, flags in OPENING.values()),
    ]


def _opening(flags: int) -> list[Step]:
    return [
        _argument(flags),
        (AND, 0, 0, WAY | TRUNCATE),
        (JUMP_EQUAL, 3, 0, TRUNCATE),
        (AND, 0, 0, WAY),
        (JUMP_EQUAL, 1, 0, WAY),
        ALLOWED,
        REFUSED,
    ]


def _argument(place: int) -> Step:
    """Returns a step that loads the lower half of an argument: flags, commands and process numbers
    have no upper one."""
    return (LOAD, 0, 0, ARGUMENTS_AT + 8 * place)


def _only(place: int, values: Sequence[int], *, otherwise: Step = REFUSED) -> list[Step]:
    """Returns steps that allow these values of an argument and refuse every other."""
    return [_argument(place), *_among(values, otherwise=otherwise)]


def _among(values: Sequence[int], *, otherwise: Step = REFUSED) -> list[Step]:
    """Returns steps that allow these loaded values and refuse every other. A jump reaches at most
    255 steps, which also limits the number of values."""
    steps = [(JUMP_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    return [*steps, otherwise, ALLOWED]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse_calls(libc: ctypes.CDLL) -> str:
    """Filters the calls of all threads of this process; returns the state. Never raises."""
    machine = platform.machine()
    if machine not in MACHINES:
        return f"missing: no table for {machine}"
    instructions = program(machine, process=os.getpid())
    filled = _Program(len(instructions) // 8, instructions)
    column, _ = MACHINES[machine]
    failed = libc.syscall(
        ctypes.c_long(SYS_SECCOMP[column]),
        ctypes.c_uint(SET_MODE_FILTER),
        ctypes.c_uint(ALL_THREADS),
        ctypes.byref(filled),
    )
    return (
        f"missing: error {ctypes.get_errno()}"
        if failed
        else f"{len(_allowed(column))} calls allowed, some more by their arguments, no others"
    )
