"""Types the examples of a document line by line into a shell, in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.builders.machine.ports import free_ports
from tests.system.tutorial.reading import Step

PYTHON = shlex.quote(sys.executable)

ENDED = re.compile(r"@@ (\d+) ended (\d+)\n")


def environment(folder: Path) -> dict[str, str]:
    """A home of its own, with a `podium` that is this one, and a `curl` that fails on refusals."""
    commands = folder / "commands"
    commands.mkdir()
    for name, called in {
        "podium": f"exec {PYTHON} -m podium.cli",
        "curl": f"exec {shutil.which('curl')} --silent --fail",
    }.items():
        (commands / name).write_text(f'#!/bin/sh\n{called} "$@"\n')
        (commands / name).chmod(0o755)
    return {
        "PATH": f"{commands}:{os.environ['PATH']}",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "COLUMNS": "200",
        "PODIUM_MIN_FREE_BYTES": "0",
    }


def script(steps: list[Step]) -> str:
    """A shell script that runs the steps and tells where each has ended."""
    lines = []
    for number, step in enumerate(steps):
        source = step.source
        if step.is_python:
            source = f"{PYTHON} - <<'END'\n{step.source}END"
        lines += [source, f'echo "@@ {number} ended $?"']
    return "\n".join(lines) + "\n"


def outputs(
    steps: list[Step],
    folder: Path,
    environment: dict[str, str],
    *,
    port_there: str = "8000",
    seconds: float = 280,
) -> Iterator[str]:
    """The output of each step on either stream; each must end with 0. A free port takes the place
    of the one in the document, `port_there`; all of them together take at most `seconds`."""
    (port,) = free_ports(1)
    folder.mkdir()
    with (folder.parent / "printed").open("w+") as printed:
        shell = subprocess.Popen(
            ["bash", "-c", script(steps).replace(port_there, str(port))],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            shell.wait(timeout=seconds)
        finally:
            # Nothing that the tutorial started may outlive it, however it ended.
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        printed.seek(0)
        text = printed.read().replace(str(port), port_there)
    start = 0
    for number, end in enumerate(ENDED.finditer(text)):
        assert end.groups() == (str(number), "0"), text[start : end.end()]
        yield text[start : end.start()]
        start = end.end()
