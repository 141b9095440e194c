"""Meanings of labels: graded ones, ones that stand twice, and those of other objectives."""

from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.problems import Code, FileRejected
from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.truth.canonical import GroundTruth
from podium.scoring.truth.reading import collect_labels, read_ground_truth
from tests.builders.scoring.competitions import WHOLE
from tests.places import ROOT

CLICKS = dataclasses.replace(
    OTTO, objectives=(Objective("", Decimal(1), "recall@20", "clicks"),), id_column="session"
)
USER = dataclasses.replace(OTTO, objectives=(Objective("", Decimal(1)),), id_column="user")
DROP = dataclasses.replace(USER, duplicates="drop")
SAMPLE = ROOT.parent / "shared" / "fixtures" / "otto-sample"


def read(folder: Path, text: str, task: Task) -> GroundTruth:
    path = folder / "truth"
    path.write_text(text)
    return read_ground_truth(path, task=task, published=None, split=WHOLE)[0]


def refused(folder: Path, text: str, task: Task) -> list[tuple[int | None, Code]]:
    with pytest.raises(FileRejected) as rejected:
        read(folder, text, task)
    return [(p.line, p.code) for p in rejected.value.rejection.problems]


OTTO_FILE = """\
{"session": 1, "labels": {"clicks": 3, "carts": [2, 3]}}
{"session": 2, "labels": {"orders": [4]}}
{"session": 5, "labels": {"carts": [9], "clicks": 0}}
"""


def test_a_task_for_one_objective_takes_it_from_a_file_for_several(tmp_path: Path) -> None:
    truth = read(tmp_path, OTTO_FILE, CLICKS)
    assert truth.frame.select("query", "item").rows() == [(0, 3), (2, 0)]
    assert truth.session_count == 3
    assert truth.warnings == ("3 entries for other objectives were left out",)


@pytest.mark.parametrize("spaces", ["", "  "], ids=["usual", "unusual"])
def test_the_entries_left_out_are_counted_by_both_readers(tmp_path: Path, spaces: str) -> None:
    truth = read(tmp_path, OTTO_FILE.replace("{", "{" + spaces), CLICKS)
    assert truth.warnings == ("3 entries for other objectives were left out",)


def test_half_of_a_pair_of_surrogates_is_no_item_and_no_mistake_of_ours(tmp_path: Path) -> None:
    text = OTTO_FILE + '{"session": 6, "labels": {"clicks": "a\\ud800b"}}\n'
    with pytest.raises(FileRejected) as rejected:
        read(tmp_path, text, CLICKS)
    (problem,) = rejected.value.rejection.problems
    assert (problem.line, problem.code) == (4, Code.BAD_LABEL)
    assert problem.detail == r"“a\xed\xa0\x80b” is not an item id"


def test_an_entry_for_another_objective_stands_once_in_a_line(tmp_path: Path) -> None:
    text = OTTO_FILE + '{"session": 6, "labels": {"carts": 1, "carts": 2, "clicks": 1}}\n'
    assert refused(tmp_path, text, CLICKS) == [(4, Code.BAD_JSON)]


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample of real OTTO sessions is not here")
def test_the_organizers_own_labels_are_a_truth_for_clicks() -> None:
    path = SAMPLE / "cut42.test_labels.jsonl"
    truth, _ = read_ground_truth(path, task=CLICKS, published=None, split=WHOLE)
    rows = [json.loads(line)["labels"] for line in path.read_text().splitlines()]
    assert truth.frame["item"].to_list() == [r["clicks"] for r in rows if "clicks" in r]
    others = sum(len(r) for r in rows) - truth.frame.height
    assert truth.warnings == (f"{others} entries for other objectives were left out",)


@pytest.mark.parametrize("labels", ["5", "[5]", '{"clicks": 5}', '{"clicks": [5]}'])
def test_the_only_objective_needs_no_name(tmp_path: Path, labels: str) -> None:
    truth = read(tmp_path, f'{{"session": 1, "labels": {labels}}}\n', CLICKS)
    assert truth.frame["item"].to_list() == [5]


@pytest.mark.parametrize("session", ['"a b"', '""', '"a,b"', "true", '"' + "a" * 65 + '"'])
def test_a_session_that_no_submission_could_name_is_refused(tmp_path: Path, session: str) -> None:
    task = dataclasses.replace(CLICKS, query_ids="string")
    text = f'{{"session": "a", "labels": 5}}\n{{"session": {session}, "labels": 5}}\n'
    assert refused(tmp_path, text, task) == [(2, Code.BAD_JSON)]


def test_several_objectives_need_their_names(tmp_path: Path) -> None:
    assert refused(tmp_path, '{"session": 1, "labels": [5]}\n', OTTO) == [(1, Code.BAD_JSON)]
    text = '{"session": 1, "labels": {"views": 1}}\n'
    assert refused(tmp_path, text, OTTO) == [(1, Code.BAD_JSON)]


def test_a_label_that_stands_twice_is_kept_once_where_the_task_says_so(tmp_path: Path) -> None:
    truth = read(tmp_path, "user,labels\n1,5 7 5 05\n2,5\n", DROP)
    assert truth.frame.select("query", "item").rows() == [(0, 5), (0, 7), (1, 5)]
    assert truth.warnings == ("2 labels that stood twice were left out",)
    refusing = dataclasses.replace(DROP, duplicates="refuse")
    assert refused(tmp_path, "user,labels\n1,5 7 5 05\n", refusing) == [
        (2, Code.DUPLICATE_LABEL),
        (2, Code.DUPLICATE_LABEL),
    ]


def test_of_a_label_that_stands_twice_the_highest_relevance_is_kept(tmp_path: Path) -> None:
    text = "user,item,relevance\n1,5,1\n1,6,2\n1,5,3\n1,5,0\n1,7,0\n1,7,0\n"
    truth = read(tmp_path, text, DROP)
    assert truth.frame.select("item", "relevance").rows() == [(5, 3.0), (6, 2.0)]
    assert truth.warnings == (
        "only ids with a row are part of the test set: where participants must also answer ids"
        " without a right item, add the list of all ids (“Published ids”)",
        "1 labels of relevance 0 or less were left out",
        "3 labels that stood twice were left out",
    )


def test_an_id_that_stands_twice_is_refused_also_where_labels_may(tmp_path: Path) -> None:
    assert refused(tmp_path, "user,labels\n1,5\n1,5\n", DROP) == [(3, Code.DUPLICATE_ID)]


def test_a_label_cannot_be_relevant_and_irrelevant(tmp_path: Path) -> None:
    text = "user,item,relevance\n1,5,1\n1,6,2\n1,5,0\n"
    assert refused(tmp_path, text, USER) == [(4, Code.DUPLICATE_LABEL)]


def test_several_objectives_may_be_graded(tmp_path: Path) -> None:
    task = dataclasses.replace(OTTO, query_ids="string", item_ids="string")
    text = "session,type,aid,relevance\na,clicks,x,2\na,carts,05,.5\na,orders,x,1e1\nb,clicks,,\n"
    truth = read(tmp_path, text, task)
    assert truth.frame.select("query", "item", "relevance").rows() == [
        (0, "x", 2.0),
        (1, "05", 0.5),
        (2, "x", 10.0),
    ]
    assert truth.session_count == 2


def test_graded_labels_come_from_parquet_as_from_text(tmp_path: Path) -> None:
    path = tmp_path / "truth.parquet"
    columns = {"session": [1, 1, 2], "aid": [5, 6, 5], "relevance": [2.5, 0.0, 1.0]}
    pl.DataFrame(columns).write_parquet(path)
    task = dataclasses.replace(USER, id_column="session")
    truth, _ = read_ground_truth(path, task=task, published=None, split=WHOLE)
    assert truth.frame.select("query", "item", "relevance").rows() == [(0, 5, 2.5), (1, 5, 1.0)]


@pytest.mark.parametrize(
    "relevance", ["-1", "-0.5", "", "nan", "inf", "1e9", "1000001", "1_0", "0x1", "1,5", "1 "]
)
def test_what_is_no_relevance_is_refused(tmp_path: Path, relevance: str) -> None:
    text = f'user,item,relevance\n1,5,1\n1,6,"{relevance}"\n'
    assert refused(tmp_path, text, USER) == [(3, Code.BAD_LABEL)]


@pytest.mark.parametrize("relevance", ["1e-60", "1e-30", "0.00000099"])
def test_a_relevance_that_gains_next_to_nothing_is_refused(tmp_path: Path, relevance: str) -> None:
    text = f"user,item,relevance\n1,5,2\n1,6,{relevance}\n"
    assert refused(tmp_path, text, USER) == [(3, Code.BAD_LABEL)]


def test_relevances_that_are_all_1_change_nothing(tmp_path: Path) -> None:
    graded = read(tmp_path, "user,item,relevance\n1,5,1\n1,6,1.0\n2,5,0\n", USER)
    plain = read(tmp_path, "user,item\n1,5\n1,6\n2,\n", USER)
    assert graded.frame.equals(plain.frame)
    assert not graded.is_graded


def test_a_relevance_is_the_decimal_number_that_was_written(tmp_path: Path) -> None:
    written = ["0.1", "2.7", "1e-6", "999.999"]
    lines = [f"1,{item},{relevance}\n" for item, relevance in enumerate(written)]
    truth = read(tmp_path, "user,item,relevance\n" + "".join(lines), USER)
    sha256 = truth.write(tmp_path / "stored")
    published = read_ground_truth(tmp_path / "truth", task=USER, published=None, split=WHOLE)[1]
    stored = GroundTruth.load(tmp_path / "stored", sha256=sha256, published=published, task=USER)
    assert stored.relevances.to_list() == [0.1, 2.7, 1e-6, 999.999]


def test_a_repeated_label_makes_the_reader_of_blocks_fall_back_only(tmp_path: Path) -> None:
    path = tmp_path / "truth"
    path.write_text("user,item\n1,5\n1,5\n")
    labels = collect_labels(path, task=DROP, published=None, split=WHOLE)
    assert (labels.frame.height, labels.repeated) == (1, 1)
