"""The wheel, which is built here once for each process that tests it; what `make` hands on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

LEFT_OUT = shutil.ignore_patterns("__pycache__", "kernel.so")
"""Made anew, or by the build."""


@pytest.fixture(autouse=True)
def _no_outer_make(monkeypatch: pytest.MonkeyPatch) -> None:
    """A `make` that a test runs would take over what was assigned for the one that runs the tests,
    as `.ci/run` does."""
    for name in ("MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the source tree."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("app", "migrations", "docs/metrics"):
        shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    built = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"),
            *("-w", "out", "."),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert built.returncode == 0, built.stderr
    (made,) = (folder / "out").glob("*.whl")
    return made
