"""A test run that is killed takes along what it has started."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.builders.machine import endings
from tests.places import ROOT

RUN = """
import subprocess, sys, time
from tests.builders.machine import endings
endings.folder_of(endings.run()).mkdir()
left = subprocess.Popen(["sleep", "600"], start_new_session=True)
print(endings.run(), left.pid, flush=True)
time.sleep(600)
"""


def test_what_a_killed_run_has_started_ends_and_its_folder_goes() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop(endings.NAME)
    run = subprocess.Popen(
        [sys.executable, "-c", RUN], env=environment, stdout=subprocess.PIPE, text=True
    )
    with run:
        assert run.stdout is not None
        name, left = run.stdout.readline().split()
        assert Path(f"/proc/{left}").exists()
        assert endings.folder_of(name).exists()
        run.kill()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{left}").exists() or endings.folder_of(name).exists():
        assert time.monotonic() < deadline, "it is still there after a minute"
        time.sleep(0.05)


def test_another_run_is_left_alone() -> None:
    assert endings.run() == os.environ[endings.NAME]
    environment = {**os.environ, endings.NAME: "another"}
    with subprocess.Popen(["sleep", "600"], env=environment) as other:
        ended = subprocess.run(
            [sys.executable, endings.__file__, "a-third"], stdin=subprocess.DEVNULL, check=True
        )
        assert ended.returncode == 0
        assert other.poll() is None
        other.kill()
