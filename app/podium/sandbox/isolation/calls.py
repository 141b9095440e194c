"""The system calls that a child may make, with their numbers on x86-64 and on 64-bit ARM.

Only a table, which `seccomp` turns into a filter. Judging, preparing, launching and metrics with
NumPy, pandas, Polars, SciPy and scikit-learn were traced: each call here was seen, or is the same
harmless call as made by an older or newer C library, another kernel or another processor. None: the
processor has no such call.
"""

from __future__ import annotations

Numbers = tuple[int | None, int | None]
"""A call's number on x86-64 and on 64-bit ARM."""

FILES: dict[str, Numbers] = {
    "read": (0, 63),
    "readv": (19, 65),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "preadv2": (327, 286),
    "write": (1, 64),
    "writev": (20, 66),
    "pwrite64": (18, 68),
    "pwritev": (296, 70),
    "pwritev2": (328, 287),
    "lseek": (8, 62),
    "close": (3, 57),
    "close_range": (436, 436),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "fstat": (5, 80),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getdents": (78, None),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "sendfile": (40, 71),
    "copy_file_range": (326, 285),
    "ftruncate": (77, 46),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "cachestat": (451, 451),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "umask": (95, 166),
}
"""Reading and writing open files, opening files and querying them: a child may do anything with
files that Landlock lets it open. Python, Polars and zlib were seen to make most of these calls; the
others are their equivalents in older or newer C libraries. Syncing is left out: it would slow down
the disk of the database, and the scratch folder need not survive a crash."""

FOLDERS: dict[str, Numbers] = {
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
}
"""Filling and emptying the scratch folder: files, folders, and other names for them."""

MEMORY: dict[str, Numbers] = {
    "munmap": (11, 215),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "brk": (12, 214),
    "mbind": (237, 235),
    "get_mempolicy": (239, 236),
    "set_mempolicy": (238, 237),
}
"""The memory of the process itself, in which NumPy, OpenBLAS and the allocators place their
blocks."""

THREADS: dict[str, Numbers] = {
    "futex": (202, 98),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "gettid": (186, 178),
    "rseq": (334, 293),
    "sched_yield": (24, 124),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "getcpu": (309, 168),
    "membarrier": (324, 283),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
"""Threads and their locks. `membarrier` and the bounds of priorities are for OpenMP, the allocators
and other C libraries."""

SIGNALS: dict[str, Numbers] = {
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "pause": (34, None),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "restart_syscall": (219, 128),
}
"""Handling signals, and timers whose signals go to the process itself."""

WAITING: dict[str, Numbers] = {
    "nanosleep": (35, 101),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441),
    "eventfd": (284, None),
    "eventfd2": (290, 19),
}
"""Waiting for time or for descriptors, of which a child has its pipes and files. Polars uses
epoll."""

QUESTIONS: dict[str, Numbers] = {
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getpgrp": (111, None),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "times": (100, 153),
    "time": (201, None),
    "gettimeofday": (96, 169),
    "getrandom": (318, 278),
}
"""Queries that change nothing: identity, time, resource usage, random bytes."""

PROCESSOR: dict[str, Numbers] = {
    "arch_prctl": (158, None),
}
"""Registers of the processor: matrix units are requested before their use (OpenBLAS on newer
Xeons)."""

ALLOWED = FILES | FOLDERS | MEMORY | THREADS | SIGNALS | WAITING | QUESTIONS | PROCESSOR
"""All calls that are allowed with any arguments."""

NEWEST = 470
"""The newest call that was reviewed. Later ones fail as nonexistent, as on an older kernel:
libraries then fall back to an older call, where a refusal would end them."""
