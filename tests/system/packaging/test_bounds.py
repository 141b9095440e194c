"""The oldest versions that the project says it works with, all at once."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.processes.environments import Environment, locked
from tests.places import ROOT

pytestmark = [pytest.mark.xdist_group("wheel"), pytest.mark.timeout(600)]

TOOLS = ("hypothesis", "psutil", "pytest", "pytest-timeout", "pytest-xdist")

SMOKE = (
    "tests/unit/baselines/test_sessions.py",
    "tests/unit/baselines/test_matrix_algorithms.py",
    "tests/unit/scoring/test_engine.py",
    "tests/unit/storage",
    "tests/api/accounts/test_sign_in.py",
)
"""Matrix factorization, Polars, obstore, and the server on a database."""


def lowest() -> Iterator[str]:
    """Each requirement of the product, pinned to its lower bound."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    named = {name: each for name, each in extras.items() if name not in ("bench", "dev")}
    for requirement in (
        *project["dependencies"],
        *(one for each in named.values() for one in each),
    ):
        if requirement.startswith(project["name"]):
            continue
        found = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)(?:,<[\d.]+)?( *;.*)?", requirement)
        assert found is not None, f"{requirement} has no lower bound"
        yield f"{found[1]}=={found[2]} {found[3] or ''}"


def test_the_oldest_versions_work_together(wheel: Path, tmp_path: Path) -> None:
    environment = Environment.empty(tmp_path / "oldest")
    environment.install(f"{wheel}[all]", constraints=lowest())
    environment.install(*TOOLS, constraints=locked())
    assert environment.complaints() == ""
    ran = subprocess.run(
        [
            *(environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("-m", "not postgres and not s3", *SMOKE),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
