"""`make image-test` where there is no engine: it must not look as if something had been tried."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.places import ROOT
from tests.system.image.standins import LAYOUTS, named_images


def test_without_an_engine_the_trial_says_so_and_fails(tmp_path: Path) -> None:
    environment = os.environ | {"PATH": str(tmp_path), "IMAGE_TEST_FOLDER": str(tmp_path / "own")}
    environment.pop("ENGINE", None)
    run = subprocess.run(
        [sys.executable, "-m", "tests.system.image"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1, run.stderr
    assert run.stdout.startswith("skipped: no Docker engine runs here (")


def test_every_image_that_is_named_has_a_stand_in() -> None:
    known = {image.partition(":")[0].rpartition("/")[2] for image in named_images()}
    assert known == set(LAYOUTS)
