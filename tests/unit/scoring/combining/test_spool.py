"""The ids that a submission answers, however it is written."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from podium.scoring.combining import answered_ids, spooled, spooled_with_hits
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.splits import ALL
from podium.scoring.task import OTTO, Objective
from podium.scoring.truth.canonical import GroundTruth
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


@pytest.mark.parametrize("query_ids", ["integer", "string"])
@pytest.mark.parametrize("names", [("",), ("clicks", "carts")])
def test_sessions_are_found_as_obvious_code_does(
    names: tuple[str, ...],
    query_ids: Literal["integer", "string"],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("podium.scoring.lists.sessions.BLOCK_BYTES", 400)
    chance = random.Random(f"{names} {query_ids}")
    task = replace(
        ONE,
        objectives=tuple(Objective(name, Decimal(1), "recall@20") for name in names),
        query_ids=query_ids,
    )
    known = [str(n) if query_ids == "integer" else f"u_{n}" for n in range(300)]
    sessions = chance.choices(known, k=2_000)
    endings = [f"_{name}" if name else "" for name in names]
    rows = [
        chance.choice(["{},1 2\n", '"{}",\n', "{},not looked at\r\n"]).format(s + e)
        for s, e in zip(sessions, chance.choices(endings, k=2_000), strict=True)
    ]
    path = tmp_path / "a.csv"
    path.write_bytes(("user,labels\n" + "".join(rows)).encode())
    found = answered_ids(path, task=task).sessions
    assert found.cast(pl.String).to_list() == list(dict.fromkeys(sessions))


@pytest.mark.parametrize("text", ["user,labels\n", "user,labels\n7,1\n07,2\n", "other\n7,1\n", ""])
def test_what_is_no_submission_has_no_ids(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(FileRejected):
        answered_ids(path, task=ONE)


def test_an_id_that_is_too_long_is_refused(tmp_path: Path) -> None:
    task = replace(ONE, query_ids="string")
    longest = submission(tmp_path / "a.csv", {"x" * 64: "1"}, task)
    assert answered_ids(longest, task=task).sessions.to_list() == ["x" * 64]
    with pytest.raises(FileRejected, match="is not an id"):
        answered_ids(submission(tmp_path / "b.csv", {"x" * 65: "1"}, task), task=task)


def test_an_archive_that_breaks_off_is_refused(tmp_path: Path) -> None:
    rows = {str(n): " ".join(str(n * m) for m in range(1, 20)) for n in range(20_000)}
    packed = gzip.compress(submission(tmp_path / "a.csv", rows).read_bytes())
    path = tmp_path / "a.csv.gz"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FileRejected):
        answered_ids(path, task=ONE)


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
