"""The compiler in a wheel, which builds the compiled functions where a machine has none."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.kernel.library import declared
from podium.scoring.kernel.text import Pieces, WholeLines
from podium.scoring.lists.compiled import read_lists
from podium.scoring.lists.plan import ReadingPlan
from podium.scoring.task import OTTO
from tests.builders.scoring.submissions import GOOD, PUBLISHED
from tests.places import ROOT

KERNEL = Path("podium", "scoring", "kernel", "kernel.so")


@pytest.fixture(scope="module")
def ziglang(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of the lock, taken out of it as pip does."""
    folder = tmp_path_factory.mktemp("ziglang")
    (locked,) = re.findall(r"^ziglang==\S+", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--target",
        folder,
        locked,
    ]
    subprocess.run(command, check=True, timeout=300)
    return folder


@pytest.mark.timeout(600)
def test_it_builds_them_without_a_warning_and_they_read(ziglang: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "setup.py", tmp_path)
    shutil.copytree(
        ROOT / "app" / "podium" / "scoring" / "kernel" / "c",
        tmp_path / "app/podium/scoring/kernel/c",
    )
    (tmp_path / "empty").mkdir()
    built = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", "out"],
        cwd=tmp_path,
        env={
            "PATH": str(tmp_path / "empty"),
            "PYTHONPATH": str(ziglang),
            "CFLAGS": "-Werror",
            "HOME": str(tmp_path),
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert built.returncode == 0, built.stderr
    functions = declared(ctypes.CDLL(str(tmp_path / "out" / KERNEL)))
    labels = pl.DataFrame(schema={"query": pl.UInt32, "item": pl.Int32})
    read = read_lists(
        WholeLines(Pieces(iter([GOOD]))),
        functions,
        task=OTTO,
        published=PUBLISHED,
        plan=ReadingPlan[None](OTTO.depth, labels),
    )
    assert read.rows == PUBLISHED.count
    shutil.rmtree(ziglang)
