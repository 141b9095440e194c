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
    print_segments({"segments": segments, "differences": {}}, ("",))
    of_ranks, of_popularity = capsys.readouterr().out.split("By popularity:")
    assert "other includes 2: without it," in of_ranks
    assert "includes" not in of_popularity


def test_the_differences_of_groups_are_told_below_their_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    apart = {"miss_rate": 0.5, "mred": 0.125, "largest": 0.25}
    segments = {"labels": [group("1"), group("2")], "rank": [group("1")]}
    print_segments({"segments": segments, "differences": {"labels": {"": apart}}}, ("",))
    of_labels, of_ranks = capsys.readouterr().out.split("By rank:")
    assert "miss rate 0.5; groups differ from it by 0.125 on average (MRED)" in of_labels
    assert "MRED" not in of_ranks
