"""The compiled functions know their arguments, without which addresses would be cut to 32 bits, and
are those of the sources."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from podium.scoring.kernel.library import FILE, compiled, opened
from tests.places import ROOT


def test_every_function_that_is_called_knows_its_arguments() -> None:
    sources = (ROOT / "app" / "podium" / "scoring").rglob("*.py")
    called = {name for each in sources for name in re.findall(r"\.(podium_\w+)", each.read_text())}
    assert len(called) > 20
    assert [name for name in sorted(called) if getattr(compiled(), name).argtypes is None] == []


def test_a_library_of_other_sources_than_those_beside_it_is_refused(tmp_path: Path) -> None:
    library, sources = tmp_path / FILE.name, tmp_path / "c"
    shutil.copy(FILE, library)
    assert opened(library).podium_read_lists is not None
    shutil.copytree(FILE.with_name("c"), sources)
    assert opened(library).podium_read_lists is not None
    with (sources / "cells.c").open("a") as changed:
        changed.write("\n")
    with pytest.raises(RuntimeError, match=r"build it again with `python setup\.py build_ext"):
        opened(library)
