"""Segments as they are printed."""

from __future__ import annotations

from typing import Any

import pytest

from podium.cli.offline.segmenting import print_segments


def group(name: str, **more: Any) -> dict[str, Any]:
    """A group of labels."""
    return {"group": name, "sessions": 40, "objectives": {"": {"labels": 40, "found": 8}}, **more}


def test_a_larger_group_that_is_part_of_other_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    segments = {"rank": [group("1"), group("other", joined=["2"])], "popularity": [group("1")]}
    print_segments(segments, ("",))
    of_ranks, of_popularity = capsys.readouterr().out.split("By popularity:")
    assert "other includes 2: without it," in of_ranks
    assert "includes" not in of_popularity
