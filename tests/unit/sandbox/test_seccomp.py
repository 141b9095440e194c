"""The BPF program itself, interpreted for both machines; real children try it on this one."""

from __future__ import annotations

import pytest

from podium.sandbox.isolation.calls import ALLOWED, NEWEST
from podium.sandbox.isolation.seccomp import program
from tests.builders.sandbox.bpf import answer

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
OURS, OTHER = 7, 8

BY_ARGUMENT = {
    "clone": (56, 220), "clone3": (435, 435), "openat2": (437, 437), "open": (2, None),
    "openat": (257, 56), "tgkill": (234, 131), "prlimit64": (302, 261), "mmap": (9, 222),
    "ioctl": (16, 29), "fcntl": (72, 25), "prctl": (157, 167), "renameat2": (316, 276),
    "getpgid": (121, 155), "getsid": (124, 156), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
}  # fmt: skip

both = pytest.mark.parametrize("machine", sorted(MACHINES))


def asked(machine: str, name: str, *arguments: int) -> str:
    """The filter's answer to one of the calls of `BY_ARGUMENT`."""
    column, architecture = MACHINES[machine]
    number = BY_ARGUMENT[name][column]
    assert number is not None
    return answer(program(machine, process=OURS), architecture, number, *arguments)


@both
def test_every_number_is_refused_but_those_of_the_table(machine: str) -> None:
    column, architecture = MACHINES[machine]
    code = program(machine, process=OURS)
    judged = {entry[column] for entry in BY_ARGUMENT.values()}
    allowed = {
        number
        for number in range(2000)
        if number not in judged and answer(code, architecture, number) == "allowed"
    }
    assert allowed == {entry[column] for entry in ALLOWED.values()} - {None}
    refused = {answer(code, architecture, n) for n in range(NEWEST + 1)} - {"allowed"}
    assert refused == {"EPERM", "ENOSYS"}
    assert {answer(code, architecture, n) for n in range(NEWEST + 1, 2000)} == {"ENOSYS"}


@pytest.mark.parametrize(
    ("name", "numbers"),
    {
        "socket": (41, 198), "connect": (42, 203), "execve": (59, 221), "fork": (57, None),
        "ptrace": (101, 117), "kill": (62, 129), "tkill": (200, 130), "pidfd_open": (434, 434),
        "process_vm_writev": (311, 271), "bpf": (321, 280), "perf_event_open": (298, 241),
        "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_setup": (206, 0),
        "keyctl": (250, 219), "memfd_create": (319, 279), "shmget": (29, 194),
        "symlinkat": (266, 36), "linkat": (265, 37), "mknodat": (259, 33), "fchmodat": (268, 53),
        "utimensat": (280, 88), "truncate": (76, 45), "fallocate": (285, 47), "flock": (73, 32),
        "fsync": (74, 82), "fdatasync": (75, 83), "msync": (26, 227), "sync": (162, 81),
        "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "seccomp": (317, 277),
        "settimeofday": (164, 170), "sched_setaffinity": (203, 122), "setuid": (105, 146),
        "timer_create": (222, 107), "mlockall": (151, 230), "landlock_restrict_self": (446, 446),
    }.items(),
)  # fmt: skip
@both
def test_what_reaches_beyond_the_process_is_refused_by_name(
    machine: str, name: str, numbers: tuple[int | None, int | None]
) -> None:
    """Numbers written down a second time: a slip in the table would allow another call."""
    column, architecture = MACHINES[machine]
    if (number := numbers[column]) is not None:
        assert answer(program(machine, process=OURS), architecture, number) == "EPERM", name


@both
def test_threads_are_made_and_neither_processes_nor_namespaces(machine: str) -> None:
    thread = 0x3D0F00
    assert asked(machine, "clone", thread) == "allowed"
    for flags in (17, 0x4111, *(thread | 1 << bit for bit in (17, 25, 26, 27, 28, 29, 30))):
        assert asked(machine, "clone", flags) == "EPERM", hex(flags)
    assert asked(machine, "clone3", 0, 88) == asked(machine, "openat2", 0, 0) == "ENOSYS"


@both
def test_signals_limits_groups_and_sessions_are_its_own(machine: str) -> None:
    for name in ("tgkill", "prlimit64", "getpgid", "getsid"):
        assert asked(machine, name, OURS) == "allowed"
        for other in (OTHER, -1, 1, OURS << 32):
            expected = "allowed" if other % (1 << 32) == 0 else "EPERM"
            assert asked(machine, name, other) == expected, (name, other)


@both
def test_how_others_are_scheduled_is_not_told(machine: str) -> None:
    """The C library asks about single threads, and goes on where the call is said not to exist."""
    for name in ("sched_getaffinity", "sched_getparam", "sched_getscheduler"):
        assert {asked(machine, name, own) for own in (0, OURS)} == {"allowed"}
        assert {asked(machine, name, other) for other in (OTHER, 1, -1)} == {"ENOSYS"}


@both
def test_no_other_process_has_a_clock(machine: str) -> None:
    """The number of its clock is made of its own: of the whole process, and of a thread."""
    for other in (1, OTHER, 1 << 22):
        for kind in (0, 1, 2, 4, 5, 6):
            for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
                assert asked(machine, name, (~other << 3) | kind) == "EPERM", (name, other, kind)


@both
def test_memory_is_private_or_that_of_a_file(machine: str) -> None:
    assert asked(machine, "mmap", 0, 4096, 3, 0x21) == "EPERM"
    for flags in (0x22, 0x02, 0x01):
        assert asked(machine, "mmap", 0, 4096, 3, flags) == "allowed"


@both
def test_files_are_opened_for_reading_or_for_writing(machine: str) -> None:
    for flags in (0, 1, 2, 0o1101, 0o1102, 0o2000000, 0o20200002):
        assert asked(machine, "openat", -100, 0, flags) == "allowed", oct(flags)
    for flags in (3, 0o1003, 0o1000, 0o2001000):
        assert asked(machine, "openat", -100, 0, flags) == "EPERM", oct(flags)
    if machine == "x86_64":
        assert asked(machine, "open", 0, 1) == "allowed"
        assert asked(machine, "open", 0, 3) == "EPERM"


@both
def test_only_a_few_ways_of_the_calls_with_many_are_allowed(machine: str) -> None:
    few = {
        "ioctl": (1, {0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451}),
        "fcntl": (1, {0, 1, 2, 3, 4, 1030}),
        "prctl": (0, {3, 15, 16, 21, 29, 30, 39, 41, 42, 50, 51, 55, 56, 63, 64}),
        "renameat2": (4, {0, 1}),
        # The clock of another process has a negative number.
        "clock_gettime": (0, set(range(12))),
        "clock_getres": (0, set(range(12))),
        "clock_nanosleep": (0, set(range(12))),
    }
    for name, (place, expected) in few.items():
        tried = [*range(2000), *range(0x5400, 0x5500), 0x8901, 0x40086602, 0x59616D61, -6, -14]
        found = {each for each in tried if asked(machine, name, *[0] * place, each) == "allowed"}
        assert found == expected, name


@both
def test_numbers_of_other_worlds_end_the_process(machine: str) -> None:
    code = program(machine, process=OURS)
    others = {architecture for _, architecture in MACHINES.values()} | {0x40000003, 0x40000028}
    for other in others - {MACHINES[machine][1]}:
        assert answer(code, other, 39) == "killed"
    if machine == "x86_64":
        assert {answer(code, 0xC000003E, 0x40000000 + n) for n in (0, 39, 520)} == {"killed"}


def test_no_call_number_is_listed_twice() -> None:
    for column in (0, 1):
        entries = [*ALLOWED.values(), *BY_ARGUMENT.values()]
        numbers = [entry[column] for entry in entries if entry[column] is not None]
        assert len(numbers) == len(set(numbers))


def test_an_unknown_machine_has_no_program() -> None:
    with pytest.raises(KeyError):
        program("riscv64", process=OURS)
