"""The tutorial of the README, typed line by line into a shell in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.functional.tutorial.reading import Step, steps_of
from tests.ports import free_ports

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")

ENDED = re.compile(r"^@@ (\d+) ended (\d+)$\n", re.MULTILINE)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A home of its own, and a `podium` in the path that is this one."""
    commands = tmp_path / "commands"
    commands.mkdir()
    podium = commands / "podium"
    root, python = shlex.quote(str(ROOT)), shlex.quote(sys.executable)
    podium.write_text(f'#!/bin/sh\nPYTHONPATH={root} exec {python} -m podium.cli "$@"\n')
    podium.chmod(0o755)
    return {
        "PATH": f"{commands}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "COLUMNS": "200",
        "PODIUM_MIN_FREE_BYTES": "0",
    }


def script(steps: list[Step], port: int) -> str:
    """A shell script that runs the steps and tells where each has ended."""
    lines = []
    for number, step in enumerate(steps):
        source = step.source
        if step.is_python:
            source = (
                f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)} - <<'END'\n"
                f"{step.source}END"
            )
        lines += [source.replace("8000", str(port)), f'echo "@@ {number} ended $?"']
    return "\n".join(lines) + "\n"


def outputs(steps: list[Step], folder: Path, environment: dict[str, str]) -> Iterator[str]:
    """What each step printed, to whichever output; each must end with 0."""
    (port,) = free_ports(1)
    folder.mkdir()
    with (folder.parent / "printed").open("w+") as printed:
        shell = subprocess.Popen(
            ["bash", "-c", script(steps, port)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            shell.wait(timeout=280)
        finally:
            # Nothing that the tutorial started may outlive it, however it ended.
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        printed.seek(0)
        text = printed.read().replace(str(port), "8000")
    start = 0
    for number, end in enumerate(ENDED.finditer(text)):
        assert end.groups() == (str(number), "0"), text[start : end.end()]
        yield text[start : end.start()]
        start = end.end()


def test_every_line_of_the_tutorial_works_and_prints_what_it_says(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    steps = steps_of(README, "Tutorial")
    printed = list(outputs(steps, tmp_path / "empty", environment))
    for step, output in zip(steps, printed, strict=True):
        assert step.explains(output), f"{step.source}\nprinted\n{output}"


def test_what_the_tutorial_promises_is_really_compared() -> None:
    (listed,) = steps_of("\n## A\n```console\n$ list\nteam  score\n…  0.5…\n```\n", "A")
    assert listed.explains("team      score\nTeam Ada  0.57\n")
    assert not listed.explains("team      score\nTeam Ada  0.61\n")
    assert not listed.explains("team      score\nTeam Ada  0.57\nmore\n")
    (open_,) = steps_of("\n## A\n```console\n$ list\n…\nlast\n```\n", "A")
    assert open_.explains("last\n")
    assert open_.explains("one\ntwo\nlast\n")
    assert not open_.explains("last\nmore\n")
