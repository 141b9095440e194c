"""Clients that other people's generators make of the description."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.builders.processes.environments import Environment
from tests.system.clients.conftest import HERE, Node, Served

# One environment, and one server, for all tests of clients.
pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.timeout(600)]


def test_a_generated_python_client_submits_and_reads_its_score(
    environment: Environment, served: Served, tmp_path: Path
) -> None:
    tools = environment.folder / "bin"
    generated = subprocess.run(
        [
            *(tools / "openapi-python-client", "generate", "--fail-on-warning"),
            *("--path", served.description, "--output-path", tmp_path / "client"),
        ],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    output = generated.stdout + generated.stderr
    assert (generated.returncode, "warning" in output.lower()) == (0, False), output[-4000:]
    shutil.copy(HERE / "python" / "submit", tmp_path / "client")
    ran = subprocess.run(
        [
            *(environment.python, "submit"),
            *(served.installation.url, served.token("ada"), served.file),
        ],
        cwd=tmp_path / "client",
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "team": "Team Ada",
        "scores": [["raw.csv", "", 0.05], ["form.csv", "a form", 0.05], ["pieces.csv", "", 0.05]],
        "rejected": ["rejected", "header-mismatch", 1],
        "refused": [404, "not-found"],
        "listed": 4,
        "board": [0.05],
    }


def test_a_typed_client_of_typescript_submits_and_reads_its_score(
    node: Node, served: Served
) -> None:
    # Members with a default may be left out of what is sent.
    typed = (node.tool("openapi-typescript"), "--default-non-nullable=false")
    output = node.runs(*typed, served.description, "-o", "api.d.ts")
    assert "warn" not in output.lower()
    strictly = ("--strict", "--noUncheckedIndexedAccess", "--module", "nodenext")
    node.runs(node.tool("tsc"), *strictly, "--target", "es2022", "submit.ts")
    printed = node.runs(
        "node", "submit.js", served.installation.url, served.token("bob"), served.file
    )
    assert json.loads(printed) == {
        "team": "Team Bob",
        "score": ["typed.csv", "scored", 0.05],
        "rejected": ["rejected", "header-mismatch", 1],
        "refused": [404, "not-found"],
    }
