"""The wheel, which is built here: what it holds, and what it says of itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser

import pytest

from podium import __version__
from tests.places import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of a copy of the source tree."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("app", "migrations"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            "out",
            ".",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert built.returncode == 0, built.stderr
    (made,) = (folder / "out").glob("*.whl")
    return zipfile.ZipFile(made)


def metadata_of(wheel: zipfile.ZipFile) -> tuple[str, Message]:
    """The name of the metadata file in the wheel, and its fields."""
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return name, Parser().parsestr(wheel.read(name).decode())


def test_the_wheel_has_the_version_of_the_package(wheel: zipfile.ZipFile) -> None:
    assert metadata_of(wheel)[1]["Version"] == __version__


def test_the_wheel_says_that_the_package_has_type_hints(wheel: zipfile.ZipFile) -> None:
    assert "podium/py.typed" in wheel.namelist()


def test_the_wheel_brings_the_text_of_its_license(wheel: zipfile.ZipFile) -> None:
    name, metadata = metadata_of(wheel)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE"]
    text = wheel.read(name.replace("METADATA", "licenses/LICENSE"))
    assert text == (ROOT / "LICENSE").read_bytes()
    assert b"Apache License" in text
    assert b"END OF TERMS AND CONDITIONS" in text
