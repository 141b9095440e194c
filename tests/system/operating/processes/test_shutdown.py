"""A process that was told to leave ends, whatever still hangs in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def ended(waits: str) -> subprocess.CompletedProcess[str]:
    """A process with 0.2 s to leave, and a thread that waits so."""
    code = (
        "import threading; from podium.worker.shutdown import exit_for_certain;"
        f"threading.Thread(target=lambda: {waits}, name='silent').start();"
        "exit_for_certain(0.2)"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_a_thread_that_waits_for_ever_is_left_behind_and_named() -> None:
    process = ended("threading.Event().wait()")
    assert process.returncode == 1
    assert "process.left-midway" in process.stdout + process.stderr
    assert "silent" in process.stdout + process.stderr


def test_who_has_ended_before_is_not_waited_for() -> None:
    process = ended("None")
    assert (process.returncode, process.stderr) == (0, "")


UNNOTICED = """
import os, signal, threading
from podium.worker.shutdown import wait_until

told = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: told.set())

def other():
    waits.wait()
    # The main thread waits by now, or is about to; either way nothing wakes it.
    os.kill(os.getpid(), signal.SIGTERM)

waits = threading.Event()
threading.Thread(target=other).start()
# What the main thread does not take, the other one gets, which may not run handlers.
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
waits.set()
wait_until(told)
print("told")
"""


def test_an_order_that_wakes_no_thread_is_noticed_nevertheless() -> None:
    process = subprocess.run(
        [sys.executable, "-c", UNNOTICED], capture_output=True, text=True, timeout=120, check=False
    )
    assert (process.returncode, process.stdout) == (0, "told\n"), process.stderr


SERVED = """
import sys
from pathlib import Path

from podium.cli.operator import serving
from podium.settings import Settings

serving.TICK_SECONDS = 3600.0
serving.run(
    Settings(data_dir=Path(sys.argv[1]), min_free_bytes=0),
    host="127.0.0.1",
    port=0,
    with_worker=False,
    on_ready=lambda *_: print("ready", flush=True),
)
"""


@pytest.mark.timeout(300)
def test_an_order_reaches_a_server_that_sleeps_between_two_ticks(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVED, str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert "ready\n" in iter(server.stdout.readline, "")
        server.terminate()
        # One that does not notice is ended midway, with 1.
        assert server.wait(timeout=120) == 0
