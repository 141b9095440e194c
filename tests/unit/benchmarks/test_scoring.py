"""The contest: measuring a program, the machine that it is measured on, hits and aims."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks import aims, report
from benchmarks.contest import Contestant, ContestantFailed, Run, Told, measured, nothing
from benchmarks.contestants.lineup import FLOOR, OURS, TENTH
from benchmarks.contestants.official import NotThere, OfficialScript, scores_told
from benchmarks.fixtures import official_counts
from benchmarks.machine import Moment, busy_lines

HITS = {"clicks": 1, "carts": 0, "orders": 2}


def run(wall: float, inner: float | None = None, hits: dict[str, int] | None = None) -> Run:
    return Run(wall, wall, 100.0, Told(inner, hits))


def program(text: str) -> Contestant:
    return Contestant("program", (sys.executable, "-c", text), told=nothing)


def test_a_program_may_say_more_than_a_pipe_holds() -> None:
    text = "import sys\nfor stream in (sys.stderr, sys.stdout): stream.write('x' * 300_000)"
    assert measured(program(text)).wall > 0


def test_a_program_that_fails_is_told_by_what_it_said() -> None:
    with pytest.raises(ContestantFailed, match="program ended with 3: too early"):
        measured(program("import sys; sys.stderr.write('too early'); sys.exit(3)"))


def test_a_variable_of_a_contestant_is_added_to_ours() -> None:
    text = "import os, sys; sys.exit(os.environ['THREADS'] != '1' or 'PATH' not in os.environ)"
    command = (sys.executable, "-c", text)
    measured(Contestant("program", command, told=nothing, environment={"THREADS": "1"}))


def test_what_others_take_of_the_processor_makes_figures_no_results() -> None:
    began = Moment(load=3.0, clock=100.0, by_all=50.0, by_us=10.0)
    alone = Moment(load=2.0, clock=110.0, by_all=61.0, by_us=20.0)
    shared = Moment(load=2.0, clock=110.0, by_all=66.0, by_us=20.0)
    (line,) = busy_lines(began, alone, 2)
    assert line == (
        "- load average: 3.00 before, 2.00 after; processor taken by other programs meanwhile: 5 %"
    )
    assert "not quiet" in busy_lines(began, shared, 2)[1]


def test_the_load_average_decides_where_nothing_else_is_known() -> None:
    after = Moment(load=2.0, clock=1.0, by_all=None, by_us=0.0)
    busy, idle = (Moment(load, 0.0, None, 0.0) for load in (1.0, 0.1))
    assert "not quiet" in busy_lines(busy, after, 2)[-1]
    assert "unknown" in busy_lines(idle, after, 2)[-1]


def test_aims_pair_the_rounds_and_pass_over_those_who_did_not_take_part() -> None:
    results = {
        FLOOR: [run(1.0, 0.5), run(2.0, 0.5), run(1.0, 0.5)],
        OURS: [run(1.1, 1.0), run(2.6, 1.0), run(1.2, 1.0)],
        TENTH: [run(0.3, 0.2)],
    }
    rows = aims.table(results)
    assert f"| {OURS} / {FLOOR} | 1.20 s / 1.00 s | 1.2 | ≤ 1.2 | yes |" in rows
    assert f"| {TENTH} / {OURS} | 0.20 s / 1.00 s | 0.2 | ≤ 0.15 | no |" in rows
    assert not any("DuckDB" in row for row in rows)


def test_hits_must_be_equal_among_those_who_answer_the_same_question() -> None:
    everybody = [
        Contestant("one", ()),
        Contestant("silent", ()),
        Contestant("other", ()),
        Contestant("smaller", (), question="tenth"),
    ]
    results = {
        "one": [run(1, hits=HITS)],
        "silent": [run(1)],
        "other": [run(1, hits=HITS | {"carts": 1})],
        "smaller": [run(1, hits=HITS | {"carts": 7})],
    }
    (sentence,) = report.disagreements(results, everybody)
    assert sentence.startswith("other counts {'clicks': 1, 'carts': 1")


def test_the_recalls_of_the_official_script_are_hits(tmp_path: Path) -> None:
    counted = tmp_path / "official.json"
    counts = {"labels": {"clicks": 3, "carts": 7}, "passed_over": {"clicks": 1, "carts": 0}}
    counted.write_text(json.dumps(counts))
    scores = {"clicks": 2 / 3, "carts": 3 / 7, "total": 0.5}
    log = f"Preparing labels: 100%\nINFO:root:Scores: {scores}\n".encode()
    assert scores_told(counted, b"", log) == Told(hits={"clicks": 3, "carts": 3})


def test_the_official_script_counts_twenty_labels_and_no_click_on_item_0(tmp_path: Path) -> None:
    rows = [(1, "clicks", 0), (2, "clicks", 5), (3, "clicks", 0)]
    rows += [(1, "carts", item) for item in range(25)] + [(2, "orders", 0)]
    labels, file = tmp_path / "labels.parquet", tmp_path / "file.csv"
    pl.DataFrame(rows, schema=["session", "type", "aid"], orient="row").write_parquet(labels)
    late = " ".join(map(str, [*range(1, 21), 0]))
    file.write_text(f"session_type,labels\n1_clicks,7 0\n2_clicks,0 5\n3_clicks,{late}\n")
    assert official_counts(labels, file) == {
        "labels": {"clicks": 1, "carts": 20, "orders": 1},
        "passed_over": {"clicks": 1, "carts": 0, "orders": 0},
    }


def test_only_the_official_script_itself_takes_part(tmp_path: Path) -> None:
    with pytest.raises(NotThere, match="save github"):
        OfficialScript.found(tmp_path)
    (tmp_path / "evaluate.py").write_text("print('another one')")
    with pytest.raises(NotThere, match="is not github"):
        OfficialScript.found(tmp_path)
