"""Reads a Dockerfile, and takes the steps of its build stage without a container."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.places import ROOT

NETWORK = re.compile(r"NewConnectionError|Temporary failure|Max retries|No matching distribution")
"""Messages of pip where the package index cannot be reached."""


@dataclass(frozen=True)
class Step:
    """One instruction with its arguments, continuation lines joined."""

    instruction: str
    arguments: str


def stages(text: str) -> list[list[Step]]:
    """The instructions of each stage, each beginning with its `FROM`."""
    joined = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    found: list[list[Step]] = []
    # What stands before the first stage belongs to none.
    joined = joined[joined.index("\nFROM ") :]
    for line in filter(None, map(str.strip, joined.replace("\\\n", " ").splitlines())):
        instruction, _, arguments = line.partition(" ")
        if instruction == "FROM":
            found.append([])
        found[-1].append(Step(instruction, " ".join(arguments.split())))
    return found


def stage(text: str, name: str) -> list[Step]:
    """The instructions of the stage of that name."""
    [found] = [s for s in stages(text) if s[0].arguments.endswith(f" AS {name}")]
    return found


def arguments(text: str) -> dict[str, str]:
    """The arguments of all stages, with what they are unless they are given."""
    found = re.findall(r"^ARG (\w+)=(.*)$", text, re.MULTILINE)
    return dict(found)


class BuildFailed(Exception):
    """A step ended with an error; holds what it said."""


def build(folder: Path) -> Path:
    """Takes the steps of the stage `build` in `folder`; returns the environment that it makes.

    The base image's Python is a fresh virtual environment, `/opt/podium` a folder here. What the
    build may copy is what `.dockerignore` lets through.
    """
    python, prefix, work = folder / "python", folder / "opt-podium", folder / "build"
    subprocess.run([sys.executable, "-m", "venv", python], check=True)
    work.mkdir()
    environment = os.environ | {"PATH": f"{python / 'bin'}:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    text = (ROOT / "Dockerfile").read_text()
    environment = arguments(text) | environment
    for step in stage(text, "build"):
        if step.instruction == "COPY":
            _copy(step.arguments.split(), work)
        if step.instruction == "RUN":
            _run(step.arguments.replace("/opt/podium", str(prefix)), work, environment)
    return prefix


def build_wheel(folder: Path, *, python: Path, mask: int) -> bytes:
    """Takes those steps of the stage `build` in `folder` that make the wheel, from sources that
    were checked out under this umask; `python` is that of an environment with the builder."""
    text = (ROOT / "Dockerfile").read_text()
    environment = arguments(text) | os.environ | {"PATH": f"{python.parent}:{os.environ['PATH']}"}
    for step in stage(text, "build"):
        if step.instruction == "COPY":
            _copy(step.arguments.split(), folder)
    for path in folder.rglob("*"):
        path.chmod(path.stat().st_mode & ~mask)
    [making] = [s for s in stage(text, "build") if "pip wheel" in s.arguments]
    _run(making.arguments, folder, environment)
    [wheel] = (folder / "wheels").glob("*.whl")
    return wheel.read_bytes()


def _run(command: str, work: Path, environment: dict[str, str]) -> None:
    run = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        raise BuildFailed(f"{command}\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")


def _copy(names: list[str], work: Path) -> None:
    *sources, target = names
    allowed = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    for source in sources:
        if source not in allowed:
            raise BuildFailed(f".dockerignore keeps {source} from the build")
        if (ROOT / source).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / source, work / target, ignore=ignored)
        else:
            shutil.copy(ROOT / source, work / target)
