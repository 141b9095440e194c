"""The oldest versions that the project says it works with, all at once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.builders.processes.environments import Environment, locked
from tests.places import ROOT

pytestmark = pytest.mark.timeout(600)

TOOLS = ("hypothesis", "psutil", "pytest", "pytest-timeout", "pytest-xdist")

SMOKE = (
    "tests/unit/otto/test_baselines.py",
    "tests/unit/scoring/test_engine.py",
    "tests/unit/storage",
    "tests/api/accounts/test_sign_in.py",
)
"""Matrix factorization, Polars, obstore, and the server on a database."""


def test_the_oldest_versions_work_together(wheel: Path, tmp_path: Path) -> None:
    environment = Environment.empty(tmp_path / "oldest")
    told = environment.install(f"{wheel}[all]", resolution="lowest-direct")
    assert "lower bound" not in told, told
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
