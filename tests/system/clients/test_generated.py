"""Clients that other people's generators make of the description."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.builders.processes.environments import Environment
from tests.builders.processes.serving import ADMIN_TOKEN
from tests.system.clients.conftest import HERE, Node, Served

# One environment, and one server, for all tests of clients.
pytestmark = [pytest.mark.xdist_group("clients"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def generated(
    environment: Environment, served: Served, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of a Python client that was generated without a warning."""
    tools, folder = environment.folder / "bin", tmp_path_factory.mktemp("generated") / "client"
    ran = subprocess.run(
        [
            *(tools / "openapi-python-client", "generate", "--fail-on-warning"),
            *("--path", served.description, "--output-path", folder),
        ],
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    output = ran.stdout + ran.stderr
    assert (ran.returncode, "warning" in output.lower()) == (0, False), output[-4000:]
    return folder


def _printed(environment: Environment, generated: Path, program: str, *arguments: object) -> object:
    """The JSON that one of the programs beside this file prints with the generated client."""
    shutil.copy(HERE / "python" / program, generated)
    ran = subprocess.run(
        [environment.python, program, *map(str, arguments)],
        cwd=generated,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_a_generated_python_client_submits_and_reads_its_score(
    environment: Environment, served: Served, generated: Path
) -> None:
    url, token = served.installation.url, served.token("ada")
    assert _printed(environment, generated, "submit", url, token, served.file) == {
        "team": "Team Ada",
        "scores": [["raw.csv", "", 0.05], ["form.csv", "a form", 0.05], ["pieces.csv", "", 0.05]],
        "rejected": ["rejected", "header-mismatch", 1],
        "refused": [404, "not-found"],
        "listed": 4,
        "board": [0.05],
    }


def test_every_module_of_a_generated_python_client_loads_and_organizers_files_are_sent(
    environment: Environment, served: Served, generated: Path, tmp_path: Path
) -> None:
    truth = tmp_path / "truth.csv"
    rows = [
        f"{number}_{kind},3\n" for number in range(30) for kind in ("clicks", "carts", "orders")
    ]
    truth.write_text("session_type,labels\n" + "".join(rows))
    sha256 = hashlib.sha256(truth.read_bytes()).hexdigest()
    url = served.installation.url
    assert _printed(environment, generated, "organize", url, ADMIN_TOKEN, truth) == [
        *("draft", 1, sha256),
        *("notes.txt", 8),
    ]


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
