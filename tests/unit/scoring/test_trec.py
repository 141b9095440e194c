"""Files of TREC: qrels as ground truth, runs as submissions, ordered as trec_eval orders them."""

from __future__ import annotations

import dataclasses
import gzip
import io
import random
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import pytrec_eval
import zstandard

from app.scoring.engine import judge, validate
from app.scoring.ground_truth import GroundTruth, looks_like_qrels, read_ground_truth
from app.scoring.problems import FileRejected
from app.scoring.published import PublishedIds
from app.scoring.reading import runs
from app.scoring.reading.canonical import write_canonical
from app.scoring.reading.lines import LineCounts
from app.scoring.task import OTTO, Objective, Task
from tests.unit.scoring.competitions import HALVES, WHOLE
from tests.unit.scoring.reading.submissions import blocks

TASK = Task(
    objectives=(Objective("", Decimal(1), "ndcg@5"),),
    diagnostics=("map@1000", "recall@3", "precision@3", "mrr@1000"),
    id_column="topic",
    query_ids="string",
    item_ids="string",
)
QRELS = """\
MB101 0 d1 1
MB101 0 d2 0
q-7\t0\td9   2
  MB101 Q0 d3 -1
q-9 0 d1 0
007 0 0706016001 0.5
"""
PUBLISHED = PublishedIds(pl.Series(["b", "a", "7"]), ("",))
RUN = "a Q0 d1 1 2.5 me\nb Q0 d2 1 1 me\n7 Q0 d3 1 -1e-3 me\n"


def truth_of(folder: Path, text: str, task: Task = TASK) -> tuple[GroundTruth, PublishedIds]:
    path = folder / "qrels.txt"
    path.write_text(text)
    return read_ground_truth(path, task=task, published=None, split=WHOLE)


def canonical(text: str | bytes, task: Task = TASK, size: int = 40) -> tuple[LineCounts, str]:
    """Counts and canonical text of a run for `PUBLISHED`."""
    sink = io.BytesIO()
    data = text if isinstance(text, bytes) else text.encode()
    counts = write_canonical(blocks(data, size), task=task, published=PUBLISHED, sink=sink)
    return counts, sink.getvalue().decode()


def lists(text: str | bytes, task: Task = TASK, size: int = 40) -> dict[str, str]:
    _, *rows = canonical(text, task, size)[1].splitlines()
    return dict(row.split(",") for row in rows)


def problems(text: str | bytes, task: Task = TASK, size: int = 40) -> list[tuple[int | None, str]]:
    with pytest.raises(FileRejected) as rejected:
        canonical(text, task, size)
    return [(p.line, str(p.code)) for p in rejected.value.rejection.problems]


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
def test_qrels_are_recognised_by_their_first_line(
    tmp_path: Path, text: str, expected: bool
) -> None:
    path = tmp_path / "truth"
    for data in (text.encode(), gzip.compress(text.encode())):
        path.write_bytes(data)
        assert looks_like_qrels(path) is expected


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


def test_a_run_for_other_topics_is_recognised_as_such() -> None:
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
    assert "Reading stopped" in str(rejected.value.rejection.problems[0].hint)


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


def zipped(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.txt", data)
    return buffer.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress, zipped])
def test_a_run_is_judged_in_any_container(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    truth, published = truth_of(tmp_path, "a 0 d1 1\nb 0 d9 1\n")
    path = tmp_path / "run"
    path.write_bytes(pack(b"a Q0 d2 1 3 me\nb Q0 d9 1 2 me\na Q0 d1 2 3 me\n"))
    scored = judge(path, task=TASK, published=published, truth=truth, scratch=tmp_path)
    assert scored.splits["all"].diagnostics["mrr@1000"][""] == Decimal("0.75")
    counts = validate(path, task=TASK, published=published, scratch=tmp_path)
    assert counts == {"rows": 2, "missing": 0, "empty": 0}


NAMES = {
    "ndcg@5": "ndcg_cut_5",
    "map@1000": "map_cut_1000",
    "recall@3": "recall_3",
    "precision@3": "P_3",
    "mrr@1000": "recip_rank",
}
SCORES = ("1", "1.0", "1e0", "0", "-2.5", "16777216", "16777217", "0.1", "0.10000000149", "3.25")
DOCNOS = [f"{prefix}{n}" for prefix in ("d", "D-", "0") for n in range(8)]


@pytest.mark.parametrize("seed", range(40))
def test_runs_full_of_ties_score_what_trec_eval_gives(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    topics = [f"t{number}" for number in range(30)]
    judged: dict[str, dict[str, int]] = {
        topic: {d: rng.choice((0, 0, 1, 2, 3)) for d in rng.sample(DOCNOS, rng.randint(1, 9))}
        for topic in topics
    }
    for found in judged.values():
        found[rng.choice(DOCNOS)] = 1
    run = {
        topic: {d: rng.choice(SCORES) for d in rng.sample(DOCNOS, rng.randint(1, 24))}
        for topic in topics
    }
    rows = [
        f"{t} Q0 {d} {rng.randint(0, 99)} {s} me" for t, of in run.items() for d, s in of.items()
    ]
    rng.shuffle(rows)
    qrels = [f"{t} 0 {d} {rel}" for t, of in judged.items() for d, rel in of.items()]
    truth, published = truth_of(tmp_path, "\n".join(qrels) + "\n")
    path = tmp_path / "run.txt"
    path.write_text("\n".join(rows) + "\n")
    split = judge(path, task=TASK, published=published, truth=truth, scratch=tmp_path).splits["all"]
    numbers = {t: {d: float(s) for d, s in of.items()} for t, of in run.items()}
    theirs = pytrec_eval.RelevanceEvaluator(judged, set(NAMES.values())).evaluate(numbers)
    ours = {m: float(of[""]) for m, of in split.diagnostics.items()}
    ours["ndcg@5"] = float(split.values[""])
    for metric, name in NAMES.items():
        expected = sum(of[name] for of in theirs.values()) / len(topics)
        assert ours[metric] == pytest.approx(expected, abs=1e-12), metric


LINES = (
    "a Q0 d1 1 1 m", "b\tQ0\td1\t1\t.5\tm", " 7 Q0 ~ 1 1. m ", "a Q0 d1 1 1", "c Q0 d1 1 1 m", "",
    "# a", "a Q0 d1 1 x m", "a Q0 d\x01 1 1 m", "a Q0 d1 1 1 \u20ac", "a Q0 007 1 -1E+2 m",
    "a Q0 2147483647 1 1 m", "a Q0 2147483648 1 1 m", "7 Q0 12 1 +0.0 m", "07 Q0 5 1 1 m",
    "a Q0 5 1 1 m", "b\tQ0 0 2 -.25e1 m", "7 Q0 999999999 1 3 m",
)  # fmt: skip


@pytest.mark.parametrize("item_ids", ["integer", "string"])
@pytest.mark.parametrize("seed", range(5))
def test_columns_and_lines_find_the_same_in_a_block(seed: int, item_ids: Any) -> None:
    """The reader of columns only answers where the reader of lines would say the same."""
    rng = random.Random(seed)
    task = dataclasses.replace(TASK, item_ids=item_ids)
    answered = 0
    for _ in range(300):
        lines = rng.choices(LINES, k=rng.choice((1, 1, 2, 3)))
        reader = runs.RunReader(task, PUBLISHED)
        columns = reader.columns("\n".join(lines).encode())
        if columns is not None:
            answered += 1
            assert columns.equals(reader.lines("\n".join(lines).encode())), lines
            assert not reader.findings.count, lines
    assert answered > 20


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
