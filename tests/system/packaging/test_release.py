"""`make image`: what the engine is asked for. An engine that only writes down what it was asked
stands in for a real one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from podium import __version__
from tests.places import ROOT
from tests.system.packaging.dockerfile import arguments

DIGEST = f"sha256:{'0123456789abcdef' * 4}"

ENGINE = f"""#!/bin/sh
[ "$1" = buildx ] && echo {DIGEST} && exit
printf '%s\\n' "$@" > "$ASKED"
"""


def git(folder: Path, *command: str) -> str:
    """The output of git; the names of committers stay out of the machine's own settings."""
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@podium.example"]
    run = subprocess.run(
        ["git", *who, *command], cwd=folder, capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with what the recipe reads, everything committed."""
    folder = tmp_path / "checkout"
    for name in (".docker/release", "Dockerfile", "app/podium/__init__.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "remote", "add", "origin", "https://ada:secret@podium.example/podium.git")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Everything")
    return folder


def release(checkout: Path) -> tuple[int, list[str]]:
    """The exit code of the recipe, and its calls of the engine."""
    programs = checkout.parent / "programs"
    programs.mkdir()
    (programs / "docker").write_text(ENGINE)
    (programs / "docker").chmod(0o755)
    asked = checkout.parent / "asked"
    run = subprocess.run(
        [checkout / ".docker" / "release"],
        env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "ASKED": str(asked)},
        stderr=subprocess.DEVNULL,
    )
    return run.returncode, asked.read_text().splitlines() if asked.exists() else []


def test_an_image_is_released_from_digests_with_its_commit_and_no_password(checkout: Path) -> None:
    status, asked = release(checkout)
    assert status == 0
    given = dict(word.split("=", 1) for word in asked if word.partition("=")[0].isupper())
    defaults = arguments((ROOT / "Dockerfile").read_text())
    assert given == {
        "VERSION": __version__,
        "REVISION": git(checkout, "rev-parse", "HEAD"),
        "SOURCE": "https://podium.example/podium.git",
        "SOURCE_DATE_EPOCH": git(checkout, "log", "-1", "--format=%ct"),
        "PYTHON_IMAGE": f"{defaults['PYTHON_IMAGE']}@{DIGEST}",
        "POSTGRES_IMAGE": f"{defaults['POSTGRES_IMAGE']}@{DIGEST}",
    }
    assert asked[:3] == ["build", "--tag", f"podium:{__version__}"]


def test_what_is_not_committed_is_not_released(checkout: Path) -> None:
    (checkout / "more.txt").write_text("not committed")
    status, asked = release(checkout)
    assert (status, asked) == (1, [])
