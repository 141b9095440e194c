"""Imports point downwards only: the contracts in pyproject.toml, checked by import-linter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.architecture.source import ROOT

LINTER = Path(sys.executable).parent / "lint-imports"


def test_every_import_points_downwards() -> None:
    run = subprocess.run([LINTER, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-1000:]
    assert "0 broken" in run.stdout


def test_an_import_upwards_is_found(tmp_path: Path) -> None:
    package = tmp_path / "podium"
    for layer in ("web", "domain"):
        (package / layer).mkdir(parents=True)
        (package / layer / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "domain" / "rules.py").write_text("import podium.web\n")
    (tmp_path / ".importlinter").write_text(
        "[importlinter]\nroot_package = podium\n"
        "[importlinter:contract:1]\nname = layers\ntype = layers\ncontainers = podium\n"
        "layers =\n  web\n  domain\n"
    )
    run = subprocess.run([LINTER, "--no-cache"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1
    assert "podium.domain is not allowed to import podium.web" in run.stdout
