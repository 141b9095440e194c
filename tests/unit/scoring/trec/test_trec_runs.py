"""Runs of TREC as submissions: what they may look like, and what is wrong with them."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable

import polars as pl
import pytest

from podium.scoring.lists.canonical import write_canonical
from podium.scoring.lists.lines import LineCounts
from podium.scoring.lists.ordered import reader as runs
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import OTTO
from tests.builders.scoring.spelled.trec_files import RUN, TASK, canonical, lists, problems


def test_a_run_is_put_in_order_by_score_and_not_by_rank_or_line() -> None:
    text = "a Q0 d1 1 1.5 me\nb Q0 d9 3 0 me\na Q0 d2 2 2.5 me\n7 Q0 x 1 1 me\na Q0 d3 9 1e1 me\n"
    counts, found = canonical(text)
    assert found == "topic,labels\nb,d9\na,d3 d2 d1\n7,x\n"
    assert counts == LineCounts(rows=3, missing=0, empty=0)


def test_ties_go_to_the_document_that_is_last_by_its_bytes() -> None:
    text = RUN + "".join(f"a Q0 {d} 1 2.5 me\n" for d in ("d10", "d9", "D9", "_", "~"))
    assert lists(text)["a"] == "~ d9 d10 d1 _ D9"


def test_scores_that_are_equal_in_single_precision_tie() -> None:
    text = RUN + "a Q0 x 1 16777217.0 me\na Q0 y 1 16777216.0 me\nb Q0 z 0 -0.0 m\nb Q0 w 0 0 m\n"
    assert lists(text)["a"] == "y x d1"
    assert lists(text)["b"] == "d2 z w"


def test_a_list_is_cut_before_a_document_that_occurs_twice_is_looked_at() -> None:
    text = RUN + "".join(f"a Q0 x 1 {9 - n} me\n" for n in range(3)) + "a Q0 y 0 3 me\n"
    task = TASK.scored_by("ndcg@3")
    task = dataclasses.replace(task, diagnostics=())
    assert lists(text, task)["a"] == "x x x"


def test_a_run_is_ordered_the_same_however_often_deep_documents_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = dataclasses.replace(TASK.scored_by("ndcg@3"), diagnostics=())
    text = RUN + "".join(f"a Q0 x{n} 1 {n * 7 % 50} me\n" for n in range(50))
    monkeypatch.setattr(runs, "_PENDING_ROWS", 5)
    assert lists(text, task) == {"b": "d2", "a": "x7 x14 x21", "7": "d3"}


def test_documents_that_are_numbers_lose_their_zeros_and_tie_as_text() -> None:
    task = dataclasses.replace(TASK, item_ids="integer")
    text = "".join(f"{t} Q0 {d} 1 1 m\n" for t in "ab7" for d in ("10", "9", "007"))
    assert lists(text, task)["a"] == "9 7 10"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="CR LF"),
        pytest.param(lambda text: "\ufeff" + text, id="byte order mark"),
        pytest.param(lambda text: text.replace(" ", "\t"), id="tabs"),
        pytest.param(
            lambda text: text.replace(" ", " \t  ").replace("\n", " \n"), id="many blanks"
        ),
        pytest.param(lambda text: "# my run\n\n" + text.replace("\n", "\n#\n \n"), id="comments"),
        pytest.param(lambda text: text.removesuffix("\n"), id="no last line end"),
        pytest.param(lambda text: text.replace("me", "é"), id="a tag beyond ASCII"),
    ],
)
@pytest.mark.parametrize("size", [30, 1000])
def test_what_a_run_may_look_like_makes_no_difference(
    change: Callable[[str], str], size: int
) -> None:
    assert canonical(change(RUN), size=size) == canonical(RUN)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("a Q0 d5 1 2.5", "row-shape"),
        ("a Q0 d5 1 2.5 me too", "row-shape"),
        ("a,d5", "row-shape"),
        ("a Q0 d5 1 high me", "bad-number"),
        ("a Q0 d5 1 nan me", "bad-number"),
        ("a Q0 d5 1 inf me", "bad-number"),
        ("a Q0 d5 1 1e999 me", "bad-number"),
        ("a Q0 d5 1 0x10 me", "bad-number"),
        ("a Q0 d5 1 1_0 me", "bad-number"),
        ("a Q0 d,5 1 1 me", "bad-label"),
        ('a Q0 "d5" 1 1 me', "bad-label"),
        ("a Q0 " + "d" * 65 + " 1 1 me", "bad-label"),
        ("a Q0 dé 1 1 me", "bad-label"),
        ("c Q0 d5 1 1 me", "unknown-id"),
        ("A Q0 d5 1 1 me", "unknown-id"),
        ("07 Q0 d5 1 1 me", "unknown-id"),
        ("a" * 65 + " Q0 d5 1 1 me", "bad-id"),
        ("a Q0 d5 1 1 " + "m" * 67_000, "line-too-long"),
        ("a\rb Q0 d5 1 1 me", "line-endings"),
    ],
)
@pytest.mark.parametrize("size", [1, 1 << 20])
def test_what_is_wrong_with_a_run_is_named_by_line(line: str, code: str, size: int) -> None:
    assert problems(f"{RUN}{line}\n{RUN}", size=size) == [(4, code)]


def test_bytes_that_are_no_text_are_named() -> None:
    assert problems(RUN.encode() + b"a Q0 d5 1 1 \xff\n") == [(4, "encoding")]


@pytest.mark.parametrize("topic", ["07", "+7", "2147483648", "seven"])
def test_topics_that_are_numbers_are_canonical(topic: str) -> None:
    task = dataclasses.replace(TASK, query_ids="integer", missing_rows="zero")
    published = PublishedIds(pl.Series([9, 7], dtype=pl.Int32), ("",))
    text = f"7 Q0 x 1 1 me\n{topic} Q0 x 1 1 me\n".encode()
    with pytest.raises(FileRejected) as rejected:
        write_canonical(iter([text]), task=task, published=published, sink=io.BytesIO())
    assert [(p.line, str(p.code)) for p in rejected.value.rejection.problems] == [(2, "bad-id")]


def test_an_unknown_topic_is_one_problem_at_its_first_line() -> None:
    text = RUN + "x Q0 d1 1 2 me\nx Q0 d2 1 2 me\n y Q0 d1 1 2 me\n"
    assert problems(text) == [(4, "unknown-id"), (6, "unknown-id")]


def test_a_run_for_other_topics_is_recognized_as_such() -> None:
    with pytest.raises(FileRejected) as rejected:
        canonical("301 Q0 d1 1 2 me\n302 Q0 d1 1 2 me\n")
    rejection = rejected.value.rejection
    assert rejection.count == 2
    assert "other topics" in str(rejection.problems[0].hint)


def test_missing_topics_are_missing_rows() -> None:
    assert problems("a Q0 d1 1 2 me\n") == [(None, "missing-ids")]
    with pytest.raises(FileRejected) as rejected:
        canonical("a Q0 d1 1 2 me\n")
    assert rejected.value.rejection.problems[0].detail == "2 of 3 ids are missing: b, 7"
    task = dataclasses.replace(TASK, missing_rows="zero")
    assert canonical("a Q0 d1 1 2 me\n", task)[0] == LineCounts(rows=1, missing=2, empty=0)


def test_reading_a_run_stops_after_a_thousand_problems() -> None:
    with pytest.raises(FileRejected) as rejected:
        canonical(RUN + "a Q0 d1 1 high me\n" * 5000)
    assert (len(rejected.value.rejection.problems), rejected.value.rejection.count) == (10, 1000)
    assert rejected.value.rejection.stopped


def test_a_run_has_at_most_ten_thousand_lines_a_topic() -> None:
    good = "a Q0 d1 1 2 me\n" * 30_997
    assert canonical(RUN + good, size=100_000)[0].rows == 3
    assert problems(RUN + good + "a Q0 d1 1 2 me\n", size=100_000) == [(None, "too-many-rows")]


def test_a_run_is_no_submission_where_there_are_several_objectives() -> None:
    published = PublishedIds(pl.Series([1], dtype=pl.Int32), OTTO.names)
    with pytest.raises(FileRejected) as rejected:
        write_canonical(iter([RUN.encode()]), task=OTTO, published=published, sink=io.BytesIO())
    problem = rejected.value.rejection.problems[0]
    assert str(problem.code) == "header-mismatch"
    assert "one objective" in str(problem.hint)


def test_a_run_with_a_field_too_few_on_its_first_line_is_told_what_a_line_is() -> None:
    with pytest.raises(FileRejected) as rejected:
        canonical("a Q0 d1 1 2.5\n" + RUN)
    problem = rejected.value.rejection.problems[0]
    assert (problem.line, str(problem.code)) == (1, "header-mismatch")
    assert "topic Q0 docno rank score tag" in str(problem.hint)
