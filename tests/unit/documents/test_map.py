"""The map names every layer, and files that exist."""

from __future__ import annotations

import re

from tests.places import ROOT


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
