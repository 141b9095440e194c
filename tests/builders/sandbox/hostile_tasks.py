"""Functions that a child must survive to be asked: every way of ending badly, and of reaching out.

Only a sandbox that names this module runs them.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

Progress = Callable[[float], None]
Document = dict[str, Any]


def answer(progress: Progress) -> Document:
    progress(0.25)
    progress(1.0)
    return {"status": "scored", "environment": dict(os.environ), "folder": str(Path.cwd())}


def descriptors(_: Progress) -> Document:
    return {"status": "scored", "open": _descriptors()}


def spin(_: Progress) -> Document:
    while True:
        pass


def work(_: Progress, seconds: float) -> Document:
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass
    return {"status": "scored"}


def sleep(_: Progress) -> Document:
    Path("started").touch()
    time.sleep(600)
    return {"status": "scored"}


def ignore_signals(_: Progress) -> Document:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    return sleep(_)


def grow(_: Progress) -> Document:
    kept = []
    while True:
        kept.append(os.urandom(1 << 20) * 8)


def allocate_at_once(_: Progress) -> Document:
    return {"status": "scored", "length": len(bytearray(1 << 40))}


def polars_explodes(_: Progress) -> Document:
    frame = pl.DataFrame({"text": ["1 " * (1 << 19)]})
    long = pl.concat([frame] * 64).select(pl.concat_list(["text"] * 256).explode())
    return {"status": "scored", "rows": long.select(pl.col("text").str.split(" ").explode()).height}


def panic(_: Progress) -> Document:
    raise pl.exceptions.PanicException("planted")


def abort(_: Progress) -> Document:
    os.abort()


def segfault(_: Progress) -> Document:
    ctypes.string_at(0)
    raise AssertionError


def exit_silently(_: Progress) -> Document:
    os._exit(0)


def exit_with_three(_: Progress) -> Document:
    os._exit(3)


def half_an_answer(_: Progress) -> Document:
    _say(b'{"document": {"status": "sco')
    os._exit(0)


def answer_of_another_task(_: Progress) -> Document:
    _say(b'{"document": {"status": "read", "sessions": 7}}\n')
    os._exit(0)


def answer_with_more(_: Progress) -> Document:
    _say(b'{"document": {"status": "scored", "found": {}, "private_score": 1}}\n')
    os._exit(0)


def nonsense(_: Progress) -> Document:
    _say(b'\xff\x00[1, 2]\n{"document": 7}\n{"failure": "unheard of", "report": 1}\nnull\n')
    os._exit(0)


def talk_without_end(_: Progress) -> Document:
    while True:
        _say(b"x" * 65536)


def complain_without_end(_: Progress) -> Document:
    while True:
        os.write(2, b"y" * 65536)


def write_too_much(_: Progress) -> Document:
    with Path("large").open("wb") as stream:
        while True:
            stream.write(bytes(1 << 20))


def our_error(_: Progress) -> Document:
    raise ValueError("a mistake of ours")


def fork(_: Progress) -> Document:
    return {"status": "scored", "child": os.fork()}


def run_a_program(_: Progress) -> Document:
    return {"status": "scored", "ran": subprocess.run([sys.executable, "-V"], check=False).args}


def become_a_program(_: Progress) -> Document:
    os.execv("/bin/true", ["true"])  # noqa: S606 - the hostile act


def connect(_: Progress, *, port: int) -> Document:
    socket.create_connection(("127.0.0.1", port), timeout=2).close()
    return {"status": "scored"}


def unix_socket(_: Progress, *, path: str) -> Document:
    with socket.socket(socket.AF_UNIX) as own:
        own.connect(path)
    return {"status": "scored"}


def interfaces(_: Progress) -> Document:
    return {"status": "scored", "names": Path("/proc/self/net/dev").read_text()}


def read(_: Progress, *, path: str) -> Document:
    return {"status": "scored", "content": Path(path).read_bytes()[:100].decode("latin-1")}


def write(_: Progress, *, path: str) -> Document:
    Path(path).write_text("planted")
    return {"status": "scored"}


def kill(_: Progress, *, process: int) -> Document:
    os.kill(process, signal.SIGKILL)
    return {"status": "scored"}


def trace(_: Progress, *, process: int) -> Document:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, process, None, None):
        raise OSError(ctypes.get_errno(), "ptrace")
    return {"status": "scored"}


def take_over(_: Progress, *, code: str, **given: Any) -> Document:
    """Runs Python of a test's own inside the sandbox, as a file would that has found a hole:
    `given` are its names, and what it puts into `found` is answered."""
    names: dict[str, Any] = {"found": {}, "Path": Path, "call": _call, **given}
    exec(code, names)  # noqa: S102 - the hostile act
    return {"status": "scored", **names["found"]}


def _call(number: int, *arguments: Any) -> str:
    """Makes a system call; answers `done`, or the name of the error."""
    libc = ctypes.CDLL(None, use_errno=True)
    ctypes.set_errno(0)
    boxed = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    failed = libc.syscall(ctypes.c_long(number), *boxed) == -1
    return errno.errorcode.get(ctypes.get_errno(), "?") if failed else "done"


def dump_core(_: Progress) -> Document:
    import resource

    return {"status": "scored", "core": resource.getrlimit(resource.RLIMIT_CORE)}


def claim_to_be_stopped(_: Progress) -> Document:
    _say(b'{"failure": "stopped", "report": "judge me again"}\n')
    os._exit(0)


def claim_to_lack_memory(_: Progress) -> Document:
    _say(b'{"failure": "lack-of-memory", "report": "the machine is full"}\n')
    os._exit(0)


def claim_to_lack_isolation(_: Progress) -> Document:
    _say(b'{"failure": "no-walls", "report": "none of mine"}\n')
    os._exit(0)


def _descriptors() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def _say(words: bytes) -> None:
    # The descriptor of the answers is the only one above the standard three.
    for name in _descriptors():
        if int(name) > 2:
            try:
                os.write(int(name), words)
            except OSError:
                continue


_FUNCTIONS = {
    name.replace("_", "-"): function
    for name, function in list(globals().items())
    if callable(function)
    and not name.startswith("_")
    and getattr(function, "__module__", "") == __name__
}


def _run(progress: Progress, given: Document) -> Document:
    document = _FUNCTIONS[given["function"]](progress, **given["arguments"])
    status = document.pop("status")
    return {"status": status, "problem" if status == "rejected" else "found": document}


TASKS = {"hostile": _run}
