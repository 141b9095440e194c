"""The wheel: what it holds, and what it says of itself."""

from __future__ import annotations

import ctypes
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from podium import __version__
from podium.scoring.kernel.library import declared
from tests.places import ROOT

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture
def content(wheel: Path) -> Iterator[zipfile.ZipFile]:
    """The open archive of the wheel."""
    with zipfile.ZipFile(wheel) as opened:
        yield opened


def metadata_of(content: zipfile.ZipFile) -> tuple[str, Message]:
    """The name of the metadata file in the wheel, and its fields."""
    (name,) = (name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
    return name, Parser().parsestr(content.read(name).decode())


def test_the_wheel_has_the_version_of_the_package(content: zipfile.ZipFile) -> None:
    assert metadata_of(content)[1]["Version"] == __version__


def test_the_wheel_says_that_the_package_has_type_hints(content: zipfile.ZipFile) -> None:
    assert "podium/py.typed" in content.namelist()


def test_the_wheel_brings_the_compiled_reader_for_any_python_on_this_platform(
    wheel: Path, content: zipfile.ZipFile, tmp_path: Path
) -> None:
    assert "-py3-none-" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    library = content.extract("podium/scoring/kernel/kernel.so", tmp_path)
    assert declared(ctypes.CDLL(library)).podium_read_lists is not None


def test_the_wheel_brings_the_page_of_every_metric(content: zipfile.ZipFile) -> None:
    pages = {path.name: path.read_bytes() for path in (ROOT / "docs" / "metrics").iterdir()}
    packed = {path.name: path for path in zipfile.Path(content, "podium/docs/metrics/").iterdir()}
    assert {name: path.read_bytes() for name, path in packed.items()} == pages


def test_the_wheel_brings_the_text_of_its_license(content: zipfile.ZipFile) -> None:
    name, metadata = metadata_of(content)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata.get_all("License-File") == ["LICENSE"]
    text = content.read(name.replace("METADATA", "licenses/LICENSE"))
    assert text == (ROOT / "LICENSE").read_bytes()
    assert b"Apache License" in text
    assert b"END OF TERMS AND CONDITIONS" in text
