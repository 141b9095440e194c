"""System calls of a child that was taken over: each is tried from inside, by number.

Most are tried twice: as this machine is, and with Landlock masked to its first version, which
governs neither signals nor truncation.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from podium.sandbox import Limits
from podium.sandbox.children import ChildSandbox
from tests.builders.sandbox.hostile import HOSTILE, Found, HostileTask

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the numbers of these calls are those of x86-64"
)

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=120, file_bytes=64 << 20)
MASKS = (0, 1, 2, 3, 5, None)
"""Newest version of Landlock that a child may use; 0 is none, None what the machine has."""


def taken_over(
    scratch: Path, code: str, *, landlock: int | None = None, **given: object
) -> dict[str, Any]:
    """The findings of code that runs inside the sandbox."""
    scratch.mkdir(exist_ok=True)
    sandbox = ChildSandbox(
        threads=1, tasks_module=HOSTILE, is_weak_allowed=True, landlock_at_most=landlock
    )
    task = HostileTask(function="take-over", arguments={"code": code, **given})
    result = sandbox.run(task, limits=LIMITS, scratch=scratch)
    assert isinstance(result.answer, Found), result.report
    return dict(result.answer.found)


@pytest.fixture
def service() -> Iterator[int]:
    """Another process of the same user, as the one that starts children is."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield other.pid
    other.kill()
    other.wait()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a child a user of its own")
def test_below_root_a_child_is_a_stranger_without_any_capability(tmp_path: Path) -> None:
    code = """
import os
status = Path("/proc/self/status").read_text()
Path("left").write_text("mine")
found["users"], found["groups"] = os.getresuid(), [*os.getresgid(), *os.getgroups()]
found["capabilities"] = [line for line in status.splitlines() if line.startswith("Cap")]
"""
    found = taken_over(tmp_path / "child", code)
    assert set(found["users"]) == {64_747}
    assert set(found["groups"]) == {64_747}
    # Inherited, permitted, effective, to be had at most, and kept by other programs.
    assert [line.split()[1] for line in found["capabilities"]] == ["0" * 16] * 5
    left = (tmp_path / "child" / "left").stat()
    assert (left.st_uid, left.st_gid) == (64_747, 64_747)


@pytest.mark.parametrize("landlock", MASKS)
def test_no_signal_reaches_another_process(
    tmp_path: Path, service: int, landlock: int | None
) -> None:
    code = """
import ctypes
info = (ctypes.c_char * 128)()
info[0:4] = (9).to_bytes(4, "little")
info[8:12] = (-1).to_bytes(4, "little", signed=True)
found["tried"] = {
    "kill": call(62, process, 9), "kill a group": call(62, -process, 9),
    "tkill": call(200, process, 9), "tgkill": call(234, process, process, 9),
    "rt_sigqueueinfo": call(129, process, 9, info),
    "rt_tgsigqueueinfo": call(297, process, process, 9, info),
    "pidfd_open": call(434, process, 0), "pidfd_send_signal": call(424, 3, 9, 0, 0),
}
"""
    tried = taken_over(tmp_path, code, landlock=landlock, process=service)["tried"]
    assert set(tried.values()) == {"EPERM"}, tried
    assert _is_alive(service)


def test_no_file_makes_the_kernel_send_a_signal_to_another_process(
    tmp_path: Path, service: int
) -> None:
    code = """
import os
reading, writing = os.pipe()
found["tried"] = {
    "F_SETOWN": call(72, reading, 8, process), "F_SETOWN_EX": call(72, reading, 15, 0),
    "F_SETSIG": call(72, reading, 10, 9), "F_NOTIFY": call(72, reading, 1026, 1),
    "FIOASYNC": call(16, reading, 0x5452, 1), "FIOSETOWN": call(16, reading, 0x8901, 0),
    "TIOCSTI": call(16, 0, 0x5412, 0),
}
"""
    tried = taken_over(tmp_path, code, landlock=0, process=service)["tried"]
    assert set(tried.values()) == {"EPERM"}, tried


def test_another_process_is_not_slowed_down_limited_or_moved(tmp_path: Path, service: int) -> None:
    code = """
import ctypes
limits = (ctypes.c_uint64 * 2)(0, 0)
mask = (ctypes.c_char * 128)(b"\\x01")
parameter = (ctypes.c_char * 64)()
found["tried"] = {
    "prlimit64": call(302, process, 7, limits, 0), "setpriority": call(141, 0, process, 19),
    "ioprio_set": call(251, 1, process, 0x6000), "sched_setaffinity": call(203, process, 128, mask),
    "sched_setscheduler": call(144, process, 5, parameter),
    "sched_setparam": call(142, process, parameter),
    "sched_setattr": call(314, process, parameter, 0), "core sharing": call(157, 62, 1, process),
    "migrate_pages": call(256, process, 0, 0, 0), "move_pages": call(279, process, 0, 0, 0, 0, 0),
    "process_madvise": call(440, 3, 0, 0, 0, 0), "process_mrelease": call(448, 3, 0),
    "process_vm_readv": call(310, process, 0, 0, 0, 0, 0), "ptrace": call(101, 16, process, 0, 0),
    "kcmp": call(312, process, process, 0, 0, 0),
}
import resource
found["own"] = list(resource.getrlimit(resource.RLIMIT_NOFILE))
"""
    found = taken_over(tmp_path, code, landlock=1, process=service)
    assert set(found["tried"].values()) == {"EPERM"}, found["tried"]
    assert found["own"] == [256, 256], "its own limits a child may ask for"
    limit = next(
        line
        for line in Path(f"/proc/{service}/limits").read_text().splitlines()
        if line.startswith("Max open files")
    )
    assert limit.split()[3] != "0"


def test_what_another_process_does_is_not_told(tmp_path: Path, service: int) -> None:
    """Its clocks, of the whole and of its first thread, count what it has used of the processor."""
    code = """
import ctypes, time
told = (ctypes.c_long * 2)()
of_process, of_thread = (~process << 3) | 2, (~process << 3) | 6
found["tried"] = {
    "clock_gettime": call(228, of_process, told), "of a thread": call(228, of_thread, told),
    "of its kernel time": call(228, (~process << 3) | 0, told),
    "clock_getres": call(229, of_process, told),
    "clock_nanosleep": call(230, of_process, 0, told, 0),
    "getsid": call(124, process), "getpgid": call(121, process),
}
found["scheduled"] = {
    number: [call(number, who, *given) for who in (process, os.getppid(), 1, os.getpid(), 0)]
    for number, *given in ((204, 128, ctypes.create_string_buffer(128)), (143, told), (145,))
}
found["own"] = [call(228, clock, told) for clock in range(10)]
found["session"] = [call(number, who) for number in (121, 124) for who in (0, os.getpid())]
time.sleep(0.001), time.thread_time(), time.process_time(), time.monotonic()
"""
    code = f"import os\n{code}"
    found = taken_over(tmp_path, code, process=service)
    assert set(found["tried"].values()) == {"EPERM"}, found["tried"]
    assert "EPERM" not in found["own"] + found["session"]
    answers = [*["ENOSYS"] * 3, *["done"] * 2]
    assert found["scheduled"] == dict.fromkeys(("204", "143", "145"), answers)


@pytest.mark.parametrize("landlock", MASKS)
def test_no_file_of_the_service_is_changed(tmp_path: Path, landlock: int | None) -> None:
    database = tmp_path / "podium.sqlite3"
    database.write_text("rows")
    os.utime(database, (1_000_000_000, 1_000_000_000))
    database.chmod(0o600)
    before = database.stat()
    code = """
here, times = path.encode(), (b"\\0" * 32)
def opened(flags):
    return call(257, -100, here, flags, 0)
descriptor = None
found["tried"] = {
    "chmod": call(90, here, 0o777), "fchmodat": call(268, -100, here, 0o777),
    "fchmodat2": call(452, -100, here, 0o777, 0), "fchmod": call(91, 0, 0o777),
    "chown": call(92, here, 1, 1), "lchown": call(94, here, 1, 1),
    "fchownat": call(260, -100, here, 1, 1, 0), "fchown": call(93, 0, 1, 1),
    "utime": call(132, here, times), "utimes": call(235, here, times),
    "futimesat": call(261, -100, here, times), "utimensat": call(280, -100, here, times, 0),
    "setxattr": call(188, here, b"user.planted", b"1", 1, 0),
    "removexattr": call(197, here, b"user.planted"),
    "truncate": call(76, here, 0), "open of no way": opened(0o3),
    "open of no way, emptied": opened(0o3 | 0o1000), "read, emptied": opened(0o1000),
    "the old open": call(2, here, 0o3 | 0o1000, 0),
    "inotify": call(254, 3, here, 0xFFF), "name_to_handle_at": call(303, -100, here, 0, 0, 0),
}
"""
    # With Landlock missing, nothing but the calls is looked at; reading is what Landlock forbids.
    tried = taken_over(tmp_path / "s", code, landlock=landlock, path=str(database))["tried"]
    assert set(tried.values()) == {"EPERM"}, tried
    after = database.stat()
    assert database.read_text() == "rows"
    for fact in ("st_mode", "st_uid", "st_gid", "st_mtime", "st_atime"):
        if fact != "st_atime":
            assert getattr(after, fact) == getattr(before, fact), fact


@pytest.mark.parametrize("landlock", MASKS)
def test_nothing_but_files_and_folders_can_be_made(tmp_path: Path, landlock: int | None) -> None:
    (tmp_path / "secret").write_text("a file of the service")
    code = """
target = path.encode()
found["tried"] = {
    "symlink": call(88, target, b"l1"), "symlinkat": call(266, target, -100, b"l2"),
    "link": call(86, target, b"l3"), "linkat": call(265, -100, target, -100, b"l4", 0),
    "fifo": call(133, b"f1", 0o010600, 0), "fifo at": call(259, -100, b"f2", 0o010600, 0),
    "socket": call(133, b"s", 0o140600, 0), "device": call(133, b"d", 0o020600, 0x103),
}
"""
    found = taken_over(tmp_path / "s", code, landlock=landlock, path=str(tmp_path / "secret"))
    assert set(found["tried"].values()) == {"EPERM"}, found["tried"]
    assert list((tmp_path / "s").iterdir()) == []


def test_interfaces_with_a_history_of_holes_are_closed(tmp_path: Path) -> None:
    numbers = {
        "io_uring_setup": 425, "memfd_create": 319, "memfd_secret": 447, "userfaultfd": 323,
        "keyctl": 250, "add_key": 248, "bpf": 321, "perf_event_open": 298, "unshare": 272,
        "setns": 308, "mount": 165, "mount_setattr": 442, "open_tree": 428, "fsconfig": 431,
        "open_by_handle_at": 304, "shmget": 29, "shmat": 30, "shmctl": 31, "msgget": 68,
        "semget": 64, "mq_open": 240, "mq_unlink": 241, "socket": 41, "socketpair": 53,
        "sendmmsg": 307, "recvmmsg": 299, "inotify_init1": 294, "fanotify_init": 300,
        "personality": 135, "modify_ldt": 154, "syslog": 103, "quotactl": 179, "io_setup": 206,
        "sync": 162, "acct": 163, "fallocate": 285,
    }  # fmt: skip
    code = "found['tried'] = {name: call(number, 0, 0, 0, 0, 0) for name, number in all.items()}"
    tried = taken_over(tmp_path, code, all=numbers)["tried"]
    assert set(tried.values()) == {"EPERM"}, tried
    # A child that could not be looked into would write without being counted.
    assert (
        taken_over(tmp_path, "found['dumpable'] = call(157, 4, 0, 0, 0, 0)")["dumpable"] == "EPERM"
    )
    code = "found['tried'] = [call(435, 0, 0), call(437, -100, b'x', 0, 0)]"
    assert taken_over(tmp_path, code)["tried"] == ["ENOSYS", "ENOSYS"]


@pytest.mark.parametrize("flag", [0x10000000, 0x20000000, 0x40000000, 0x00020000, 0x02000000])
def test_not_even_a_thread_gets_a_namespace_of_its_own(tmp_path: Path, flag: int) -> None:
    thread = 0x00010000 | 0x00000800 | 0x00000100
    code = "found['tried'] = [call(56, flags, 0, 0, 0, 0), call(56, 17, 0, 0, 0, 0)]"
    assert taken_over(tmp_path, code, flags=thread | flag)["tried"] == ["EPERM", "EPERM"]


@pytest.mark.parametrize(
    ("name", "instructions"),
    [
        # mov eax, 20 (getpid of the 32-bit world); int 0x80; ret
        ("32-bit", "b814000000cd80c3"),
        # mov eax, 0x40000027 (getpid of the x32 world); syscall; ret
        ("x32", "b8270000400f05c3"),
    ],
)
def test_the_numbers_of_other_worlds_end_the_child(
    tmp_path: Path, name: str, instructions: str
) -> None:
    code = """
import ctypes, mmap
page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
page.write(bytes.fromhex(instructions))
run = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
found["ran"] = run()
"""
    sandbox = ChildSandbox(threads=1, tasks_module=HOSTILE)
    task = HostileTask(function="take-over", arguments={"code": code, "instructions": instructions})
    result = sandbox.run(task, limits=LIMITS, scratch=tmp_path)
    assert result.answer is None, result.answer
    assert f"exit status {-signal.SIGSYS}" in result.report, name


def test_a_child_can_still_end_itself_and_ask_for_its_own(tmp_path: Path) -> None:
    code = """
import os, threading, time
found["threads"] = []
threads = [threading.Thread(target=lambda: found["threads"].append(1)) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
found["terminal"] = os.isatty(0)
found["kept"] = call(234, os.getpid(), os.getpid(), 0)
Path("made").write_text("1"); Path("made").write_text("2"); Path("made").unlink()
"""
    found = taken_over(tmp_path, code)
    assert (found["threads"], found["terminal"], found["kept"]) == ([1] * 4, False, "done")


def _is_alive(process: int) -> bool:
    time.sleep(0.05)
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
