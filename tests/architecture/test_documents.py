"""What the documents name exists: files, commands, targets, links."""

from __future__ import annotations

import re
import struct

import pytest

from podium.cli.commands import GROUPS, PANELS
from tests.architecture.source import ROOT

DOCUMENTS = ("README.md", "CHANGELOG.md", "app/README.md", "benchmarks/README.md", "SECURITY.md")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    path = ROOT / document
    for target in re.findall(r"\]\(([^)#]+?)\)", path.read_text()):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_every_file_on_the_map_exists() -> None:
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", (ROOT / "app" / "README.md").read_text()))
    assert len(named) >= 10
    assert [name for name in sorted(named) if not (ROOT / "app" / name).exists()] == []


def test_every_layer_is_on_the_map() -> None:
    table = (ROOT / "app" / "README.md").read_text()
    layers = {
        path.stem
        for path in (ROOT / "app").iterdir()
        if path.suffix in ("", ".py") and not path.name.startswith("__")
    }
    assert {layer for layer in layers if f"`{layer}`" not in table} == set()


@pytest.mark.parametrize("document", ["README.md", "CHANGELOG.md"])
def test_every_command_that_is_named_exists(document: str) -> None:
    known = {f.__name__ for panel in PANELS.values() for f in panel} | set(GROUPS)
    named = set(re.findall(r"\bpodium ([a-z]+)\b", (ROOT / document).read_text()))
    assert named
    assert named - known == set()


def test_every_target_that_is_named_exists() -> None:
    rules = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b", (ROOT / "README.md").read_text()))
    assert {"demo", "test", "check", "bench"} <= rules
    assert named <= rules


def test_the_picture_of_the_board_is_a_small_picture() -> None:
    content = (ROOT / ".github" / "board.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width > height > 500
    assert len(content) <= 150_000
