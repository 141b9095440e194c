"""A wall of system calls: a small BPF program that refuses what a judging never needs.

Network, new programs, new processes (threads stay possible), other processes' memory, mounts and
kernel interfaces with a history of holes. Stdlib only: it runs before anything else is imported.
"""

from __future__ import annotations

import ctypes
import platform
import struct

DENIED: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "connect": (42, 203),
    "accept": (43, 202),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "bind": (49, 200),
    "listen": (50, 201),
    "socketpair": (53, 199),
    "accept4": (288, 242),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
    "setpgid": (109, 154),
    "setsid": (112, 157),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "open_by_handle_at": (304, 265),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    # Memory that is a file of no folder would escape both the limit and the watch.
    "memfd_create": (319, 279),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
"""Refused calls with their numbers on x86-64 and on 64-bit ARM; None where there is none."""

CLONE = (56, 220)
CLONE3 = (435, 435)
CLONE_THREAD = 0x00010000

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Column of the tables above, and the kernel's own name of the architecture."""

LOAD, JUMP_EQUAL, JUMP_FROM, JUMP_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
NOT_PERMITTED, NO_SUCH_CALL = 0x00050000 | 1, 0x00050000 | 38
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
X32_CALLS = 0x40000000

SYS_SECCOMP = (317, 277)
SET_MODE_FILTER, ALL_THREADS = 1, 1


def program(machine: str) -> bytes:
    """The BPF instructions for a machine (`platform.machine()`). Raises KeyError when unknown."""
    column, architecture = MACHINES[machine]
    steps = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == "x86_64":
        # The same calls have second numbers in the x32 world; nothing of ours uses them.
        steps += [(JUMP_FROM, 0, 1, X32_CALLS), (RETURN, 0, 0, KILL)]
    for numbers in DENIED.values():
        number = numbers[column]
        if number is not None:
            steps += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, NOT_PERMITTED)]
    steps += [
        # The flags of clone3 are behind a pointer, which BPF cannot follow. Without it, the C
        # library falls back to clone, whose flags say whether a thread is made or a process.
        (JUMP_EQUAL, 0, 1, CLONE3[column]),
        (RETURN, 0, 0, NO_SUCH_CALL),
        (JUMP_EQUAL, 0, 3, CLONE[column]),
        (LOAD, 0, 0, FIRST_ARGUMENT_AT),
        (JUMP_BITS, 1, 0, CLONE_THREAD),
        (RETURN, 0, 0, NOT_PERMITTED),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse_calls(libc: ctypes.CDLL) -> str:
    """Puts the wall around all threads of this process; answers what stands. Never raises."""
    machine = platform.machine()
    if machine not in MACHINES:
        return f"missing: no table for {machine}"
    instructions = program(machine)
    filled = _Program(len(instructions) // 8, instructions)
    column, _ = MACHINES[machine]
    failed = libc.syscall(
        ctypes.c_long(SYS_SECCOMP[column]),
        ctypes.c_uint(SET_MODE_FILTER),
        ctypes.c_uint(ALL_THREADS),
        ctypes.byref(filled),
    )
    return f"missing: error {ctypes.get_errno()}" if failed else f"{len(DENIED)} calls refused"
