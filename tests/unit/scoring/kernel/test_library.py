"""The compiled functions know their arguments: without, addresses would be cut to 32 bits."""

from __future__ import annotations

import re

from podium.scoring.kernel.library import compiled
from tests.places import ROOT


def test_every_function_that_is_called_knows_its_arguments() -> None:
    sources = (ROOT / "app" / "scoring").rglob("*.py")
    called = {name for each in sources for name in re.findall(r"\.(podium_\w+)", each.read_text())}
    assert len(called) > 20
    assert [name for name in sorted(called) if getattr(compiled(), name).argtypes is None] == []
