"""Qrels of TREC as ground truth."""

from __future__ import annotations

import dataclasses
import gzip
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.inference.heads import looks_like_qrels
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO
from podium.scoring.truth.reading import read_ground_truth
from tests.builders.scoring.competitions import HALVES, WHOLE
from tests.builders.scoring.spelled.trec_files import RUN, TASK, truth_of

QRELS = """\
MB101 0 d1 1
MB101 0 d2 0
q-7\t0\td9   2
  MB101 Q0 d3 -1
q-9 0 d1 0
007 0 0706016001 0.5
"""


def test_qrels_publish_every_topic_and_keep_relevances_above_0(tmp_path: Path) -> None:
    truth, published = truth_of(tmp_path, QRELS)
    assert published.sessions.to_list() == ["MB101", "q-7", "q-9", "007"]
    assert truth.frame.select("query", "item", "relevance").rows() == [
        (0, "d1", 1.0),
        (1, "d9", 2.0),
        (3, "0706016001", 0.5),
    ]
    assert "3 labels of relevance 0 or less were left out" in truth.warnings


def test_binary_qrels_are_the_same_ground_truth_as_a_list_of_labels(tmp_path: Path) -> None:
    truth, _ = truth_of(tmp_path, "a 0 x 1\na 0 y 0\nb 0 z 1\n")
    other, _ = truth_of(tmp_path, "topic,labels\na,x\nb,z\n")
    assert truth.write(tmp_path / "one") == other.write(tmp_path / "other")


def test_topics_and_documents_of_qrels_may_be_numbers(tmp_path: Path) -> None:
    task = dataclasses.replace(TASK, query_ids="integer", item_ids="integer")
    truth, published = truth_of(tmp_path, "301 0 12 1\n302 0 7 1\n", task)
    assert published.sessions.equals(pl.Series([301, 302], dtype=pl.Int32))
    assert truth.frame["item"].to_list() == [12, 7]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a 0 x 1\na 0 y\n", [(2, "row-shape")]),
        ("a 0 x 1\na 0 y 1 me\n", [(2, "row-shape")]),
        ("a 0 x 1\na 0 y high\nb 0 y nan\nb 0 z 0x37\n", [(n, "bad-label") for n in (2, 3, 4)]),
        ("a 0 x 1\na 0 y 1000001\n", [(2, "bad-label")]),
        ("a 0 x 1\na 0 " + "y" * 65 + " 1\n", [(2, "bad-label")]),
        ("a 0 x 1\n" + "a" * 65 + " 0 y 1\n", [(2, "bad-id")]),
        ("# judged\na 0 x 1\na 0 y 1\na 0 x 2\n", [(4, "duplicate-label")]),
        ("a 0 x 1\na 0 x 0\n", [(2, "duplicate-label")]),
        ("a 0 x 0\n", [(None, "zero-denominator")]),
    ],
)
def test_what_is_wrong_with_qrels_is_named_by_line(
    tmp_path: Path, text: str, expected: list[tuple[int | None, str]]
) -> None:
    with pytest.raises(FileRejected) as rejected:
        truth_of(tmp_path, text)
    assert [(p.line, str(p.code)) for p in rejected.value.rejection.problems] == expected


def test_qrels_cannot_be_the_truth_of_several_objectives(tmp_path: Path) -> None:
    task = dataclasses.replace(OTTO, query_ids="string")
    with pytest.raises(FileRejected) as rejected:
        truth_of(tmp_path, QRELS, task)
    assert "one objective" in rejected.value.rejection.problems[0].detail


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (QRELS, True),
        ("# a comment\n\n301 0 CR93E-10279 0\n", True),
        ("301 0 a,b 0\n", True),
        ("a 0 x high\n", True),
        ("user,labels\n1,2\n", False),
        ("session, type, aid, Usage\n", False),
        ('{"session": 1, "labels": 5}\n', False),
        (RUN, False),
        ("", False),
    ],
)
def test_qrels_are_recognized_by_their_first_line(
    tmp_path: Path, text: str, expected: bool
) -> None:
    path = tmp_path / "truth"
    for data in (text.encode(), gzip.compress(text.encode())):
        path.write_bytes(data)
        assert looks_like_qrels(path) is expected


def test_a_split_of_topics_is_by_their_text(tmp_path: Path) -> None:
    text = "".join(f"t{n} 0 d{n % 7} 1\n" for n in range(200))
    path = tmp_path / "qrels"
    path.write_text(text)
    truth, _ = read_ground_truth(path, task=TASK, published=None, split=HALVES)
    assert 70 < truth.totals[1, 0].queries < 130
    path.write_text("".join(sorted(text.splitlines(keepends=True), reverse=True)))
    other, ids = read_ground_truth(path, task=TASK, published=None, split=HALVES)
    sides = dict(zip(ids.sessions.gather(other.frame["query"]), other.frame["split"], strict=True))
    expected = {f"t{query}": side for query, side in truth.frame.select("query", "split").rows()}
    assert sides == expected


def test_a_topic_that_is_not_published_is_named(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("a 0 x 1\nb 0 x 1\n")
    published = PublishedIds(pl.Series(["a"]), ("",))
    with pytest.raises(FileRejected) as rejected:
        read_ground_truth(path, task=TASK, published=published, split=WHOLE)
    (problem,) = rejected.value.rejection.problems
    assert (problem.line, str(problem.code)) == (2, "unpublished-session")


def test_parquet_and_broken_archives_are_not_taken_for_qrels(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    assert looks_like_qrels(path) is False
    path.write_bytes(gzip.compress(QRELS.encode())[:12])
    assert looks_like_qrels(path) is False
