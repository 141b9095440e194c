"""What needs an extra that is not installed is refused when the service starts, by its name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

PROVIDER = {
    "PODIUM_OIDC_ISSUER": "https://id.example.org",
    "PODIUM_OIDC_CLIENT_ID": "podium",
    "PODIUM_OIDC_CLIENT_SECRET": "a secret at the provider",
}


def starting(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """How `podium serve` ends that cannot import `joserfc`."""
    lacking = folder / "lacking"
    lacking.mkdir()
    (lacking / "joserfc.py").write_text("raise ModuleNotFoundError(name='joserfc')\n")
    return subprocess.run(
        [sys.executable, "-m", "podium.cli", "serve", "--port", "0"],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join([str(lacking), str(ROOT)]),
            "PODIUM_DATA_DIR": str(folder / "data"),
            **settings,
        },
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_provider_without_the_extra_is_refused_at_the_start(tmp_path: Path) -> None:
    ended = starting(tmp_path, **PROVIDER)
    assert ended.returncode == 2, ended.stderr
    assert "pip install 'podium-scorer[oidc]'" in ended.stderr
    assert "Traceback" not in ended.stderr
    # Nothing was made: the administrator's token is shown once, at a start that works.
    assert not list(tmp_path.rglob("*.sqlite3"))


@pytest.mark.parametrize("name", ["PODIUM_OIDC_CLIENT_ID", "PODIUM_OIDC_CLIENT_SECRET"])
def test_half_a_provider_is_refused_at_the_start(tmp_path: Path, name: str) -> None:
    ended = starting(tmp_path, **{**PROVIDER, name: ""})
    assert ended.returncode == 2, ended.stderr
    assert name in ended.stderr
    assert "Traceback" not in ended.stderr
