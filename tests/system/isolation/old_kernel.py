"""Runs `podium` as on a kernel without Landlock or without seccomp: their calls do not exist.

python -m tests.system.isolation.old_kernel landlock serve …
"""

from __future__ import annotations

import ctypes
import platform
import runpy
import struct
import sys

CALLS: dict[str, dict[str, tuple[int, ...]]] = {
    "landlock": {"x86_64": (444, 445, 446), "aarch64": (444, 445, 446)},
    "seccomp": {"x86_64": (317,), "aarch64": (277,)},
}
NO_NEW_PRIVILEGES, SET_SECCOMP, FILTER = 38, 22, 2
NO_SUCH_CALL, ALLOW = 0x00050000 | 38, 0x7FFF0000


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def lose(name: str) -> None:
    """Makes the calls of this part of the kernel fail, here and in all processes to come."""
    steps = [(0x20, 0, 0, 0)]
    for number in CALLS[name][platform.machine()]:
        steps += [(0x15, 0, 1, number), (0x06, 0, 0, NO_SUCH_CALL)]
    steps.append((0x06, 0, 0, ALLOW))
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(_Program(len(steps), code))):
        raise OSError(ctypes.get_errno(), "seccomp")


if __name__ == "__main__":
    lose(sys.argv[1])
    sys.argv = ["podium", *sys.argv[2:]]
    runpy.run_module("podium.cli", run_name="__main__", alter_sys=True)
