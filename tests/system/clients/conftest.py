"""A server for clients of other people, and the tools that make them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.builders.processes.environments import Environment
from tests.builders.processes.serving import Installation, launch, serving, submission

HERE = Path(__file__).parent

UNREACHABLE = re.compile(r"ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ECONNRESET|network")
"""Messages of npm where the package registry cannot be reached."""


@dataclass(frozen=True)
class Node:
    """A folder with the packages of JavaScript that the lock beside this file names."""

    folder: Path

    def runs(self, *command: object) -> str:
        """The output of one of its programs, which must end well."""
        ended = subprocess.run(
            [str(each) for each in command],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-4000:]
        return ended.stdout

    def tool(self, name: str) -> Path:
        return self.folder / "node_modules" / ".bin" / name


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A virtual environment with a generator of clients, and tuspy."""
    made = Environment.empty(tmp_path_factory.mktemp("clients") / "environment")
    pinned = (HERE / "requirements.txt").read_text().splitlines()
    made.install("openapi-python-client", "tuspy", constraints=pinned)
    return made


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Node:
    """Skips the test where there is no node, or no registry that its packages come from."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("there is no node here: install nodejs and npm")
    folder = tmp_path_factory.mktemp("node")
    for file in (HERE / "node").iterdir():
        shutil.copy(file, folder)
    ended = subprocess.run(
        [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    if ended.returncode and UNREACHABLE.search(ended.stderr):
        pytest.skip("the registry of npm cannot be reached")
    assert ended.returncode == 0, ended.stderr[-2000:]
    return Node(folder)


@dataclass(frozen=True)
class Served:
    """A running server with an open competition, its description, and a good file."""

    installation: Installation
    description: Path
    file: Path

    def token(self, name: str) -> str:
        """The token of a new account."""
        with self.installation.organizer() as organizer:
            return str(organizer.create_user(name)["token"])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder) as installation:
        with installation.organizer() as organizer:
            launch(organizer, "shop", folder)
        described: Any = httpx2.get(f"{installation.url}/openapi.json").json()
        description, file = folder / "openapi.json", folder / "good.csv"
        description.write_text(json.dumps(described))
        file.write_text(submission(clicks="3"))
        yield Served(installation, description, file)
