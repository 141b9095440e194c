"""Reads a Dockerfile, and takes the steps of its build stage without a container."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Step:
    """One instruction with its arguments, continuation lines joined."""

    instruction: str
    arguments: str


def stages(text: str) -> list[list[Step]]:
    """The instructions of each stage, each beginning with its `FROM`."""
    joined = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    found: list[list[Step]] = []
    for line in filter(None, map(str.strip, joined.replace("\\\n", " ").splitlines())):
        instruction, _, arguments = line.partition(" ")
        if instruction == "FROM":
            found.append([])
        found[-1].append(Step(instruction, " ".join(arguments.split())))
    return found


class BuildFailed(Exception):
    """A step ended with an error; holds what it said."""


def build(folder: Path) -> Path:
    """Takes the steps of the first stage in `folder`; returns the environment that it makes.

    The base image's Python is a fresh virtual environment, `/opt/podium` a folder here. What the
    build may copy is what `.dockerignore` lets through.
    """
    python, prefix, work = folder / "python", folder / "opt-podium", folder / "build"
    subprocess.run([sys.executable, "-m", "venv", python], check=True)
    work.mkdir()
    environment = os.environ | {"PATH": f"{python / 'bin'}:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    for step in stages((ROOT / "Dockerfile").read_text())[0]:
        if step.instruction == "COPY":
            _copy(step.arguments.split(), work)
        if step.instruction == "RUN":
            command = step.arguments.replace("/opt/podium", str(prefix))
            run = subprocess.run(
                ["/bin/bash", "-o", "pipefail", "-c", command],
                cwd=work,
                env=environment,
                capture_output=True,
                text=True,
            )
            if run.returncode != 0:
                raise BuildFailed(f"{command}\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    return prefix


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
