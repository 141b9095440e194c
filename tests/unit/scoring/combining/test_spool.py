"""The ids that a submission answers, however it is written."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.combining import answered_ids, spooled, spooled_with_hits
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.splits import ALL
from podium.scoring.task import OTTO
from podium.scoring.truth import GroundTruth
from tests.builders.scoring.lists import ONE, submission

ROWS = {f"{s}_{name}": f"{s}" for s in (7, 3, 5) for name in OTTO.names}


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("7_clicks", '"7_clicks"'),
        lambda text: text + "\n\n",
    ],
    ids=["plain", "crlf", "quoted", "blank-end"],
)
def test_sessions_are_found_in_their_order(change: Callable[[str], str], tmp_path: Path) -> None:
    path = submission(tmp_path / "a.csv", ROWS, OTTO)
    path.write_bytes(change(path.read_text()).encode())
    assert answered_ids(path, task=OTTO).sessions.to_list() == [7, 3, 5]
    packed = tmp_path / "a.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert answered_ids(packed, task=OTTO).sessions.to_list() == [7, 3, 5]


def test_lists_longer_than_what_is_scored_are_kept(tmp_path: Path) -> None:
    items = [1_000_000_000 + n for n in range(900)]
    path = submission(tmp_path / "a.csv", {"7": " ".join(map(str, items))})
    published = answered_ids(path, task=ONE)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    spool = spooled(path, task=ONE, published=published, depth=1000, scratch=scratch)
    assert spool.list_of(0) == items


def test_a_missing_id_is_a_problem_of_its_file(tmp_path: Path) -> None:
    whole = submission(tmp_path / "a.csv", {"7": "1", "8": "2"})
    part = submission(tmp_path / "b.csv", {"7": "1"})
    published = answered_ids(whole, task=ONE)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with pytest.raises(FileRejected, match="8"):
        spooled(part, task=ONE, published=published, depth=20, scratch=scratch)


def test_hits_are_found_in_the_same_reading_as_deep_as_lists_are_kept(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"query": [0, 0, 1, 2], "item": [1, 3, 9, 4], "split": [ALL] * 4},
        schema={"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8},
    )
    truth = GroundTruth(frame, ONE, 3)
    path = submission(tmp_path / "a.csv", {"8": "9", "7": "5 1 3", "6": ""})
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    published = PublishedIds(pl.Series([7, 8, 6], dtype=pl.Int32), ONE.names)
    spool, hits = spooled_with_hits(path, truth, published=published, depth=2, scratch=scratch)
    assert [spool.list_of(query) for query in range(3)] == [[5, 1], [9], []]
    assert hits.ranks.to_list() == [2, 0, 1, 0]
