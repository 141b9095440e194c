"""A Docker engine: the one that runs here, or one that is made of Debian's packages."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.places import ROOT

SCRIPT = Path(__file__).with_name("engine.sh")

LONGEST = 1800.0
"""Seconds after which a command of the engine is given up; a first build takes some minutes."""


class NoEngine(Exception):
    """There is no engine here, and this is why."""


class Refused(Exception):
    """A command ended with an error; holds the command and the end of what it said."""


@dataclass(frozen=True)
class Engine:
    """An engine by what leads to its client. `folder` is seen by the client under the same path."""

    folder: Path
    lead: tuple[str, ...] = ()
    is_made: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, stdin: int | None = None, **environment: str) -> str:
        """The standard output of `docker …`. Raises `Refused`."""
        run = self.tried(*arguments, stdin=stdin, **environment)
        if run.returncode != 0:
            output = (run.stdout + run.stderr).strip().splitlines()[-8:]
            raise Refused(f"docker {' '.join(arguments[:8])}: {' | '.join(output)}")
        return run.stdout

    def tried(
        self, *arguments: str, stdin: int | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """The same, however it ends."""
        given = [f"{name}={value}" for name, value in environment.items()]
        return subprocess.run(
            [*self.lead, "env", *given, "docker", *arguments],
            cwd=None if self.lead else ROOT,
            stdin=stdin if stdin is not None else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )


def mirror() -> str:
    """The address of Debian's packages here, as apt reads its sources, however they are written.
    Raises `NoEngine`."""
    asked = ("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages")
    told = subprocess.run([*asked, "Component: main"], capture_output=True, text=True, check=False)
    if not told.stdout:
        raise NoEngine("apt names no source of packages")
    return told.stdout.split()[0]


@contextmanager
def engine(folder: Path) -> Iterator[Engine]:
    """An engine until the block ends: the one that runs, or with ENGINE=make one that is made in
    the folder and ends with the block. Raises `NoEngine`."""
    if os.environ.get("ENGINE") != "make":
        yield _running(folder)
        return
    lacking = [p for p in ("debootstrap", "iptables", "nsenter") if shutil.which(p) is None]
    if os.geteuid() != 0 or lacking:
        raise NoEngine(f"ENGINE=make needs root{', and ' + ', '.join(lacking) if lacking else ''}")
    start: list[str | Path] = [SCRIPT, "start", folder, ROOT, mirror()]
    run = subprocess.run(start, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        raise NoEngine(f"none could be made; see {folder}/*.log")
    enter = ("nsenter", "--target", run.stdout.strip(), "--mount", "--")
    clean = ("env", "--ignore-environment", f"--chdir={ROOT}", "HOME=/root")
    path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
    try:
        yield Engine(folder / "share", (*enter, *clean, path), is_made=True)
    finally:
        subprocess.run([SCRIPT, "stop", folder], check=True)


def _running(folder: Path) -> Engine:
    if shutil.which("docker") is None:
        raise NoEngine("the program docker is not installed")
    for asked in (["info"], ["compose", "version"], ["buildx", "version"]):
        run = subprocess.run(["docker", *asked], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            output = (run.stderr.strip() or run.stdout.strip()).splitlines()[-1:]
            raise NoEngine(f"docker {' '.join(asked)}: {''.join(output)}")
    return Engine(folder / "share")
