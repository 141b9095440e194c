"""Judging by a custom metric: what its runs come to, what is charged, and what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from podium.application import Application
from podium.core import lookups
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.models import Judging, JudgingPause, PublicScore
from podium.scoring.uncertainty.custom_terms import stored_terms
from podium.storage import Area
from podium.worker.holding import LeaseHolder
from podium.worker.judging import Judge
from tests.builders.judging.table_scene import TableScene

HALF = {"score": 0.5}


@pytest.fixture
def scene(application: Application, tmp_path: Path) -> TableScene:
    return TableScene(application, tmp_path)


def test_a_score_is_the_number_to_the_bit_on_both_splits(scene: TableScene) -> None:
    row = scene.judged({"score": 0.1}, {"score": 0.25})
    private = scene.run(row.id, is_private=True)
    assert (row.state, private.state, private.lease_until) == (State.SCORED, WorkState.DONE, None)
    assert scene.scores(row.id) == ("3602879701896397/36028797018963968", "1/4")
    assert row.metric_version == 1
    assert row.counts == {"rows": 4, "missing": 0, "empty": 0}
    assert private.note is not None
    assert (private.note["processor"], private.note["outcome"]) == ("a processor", "measured")


def test_an_error_counts_negative_and_more_is_better(
    application: Application, tmp_path: Path
) -> None:
    scene = TableScene(application, tmp_path, metric={"name": "own_error"})
    row = scene.judged({"score": 0.5}, {"score": -2.0})
    assert scene.scores(row.id) == ("-1/2", "2")


def test_the_verdict_comes_at_a_whole_second_after_the_judging_began(scene: TableScene) -> None:
    row = scene.judged(HALF)
    started_at = scene.run(row.id).started_at
    assert started_at is not None
    assert row.judged_at is not None
    waited = (row.judged_at - started_at).total_seconds()
    assert waited == int(waited) >= 1


def test_another_judging_may_begin_while_a_verdict_waits_for_its_time(scene: TableScene) -> None:
    judge = Judge(LeaseHolder(scene.application, "w1", scene.scratch))
    began = [scene.submit_table(HALF, number=number) for number in range(5)]
    # One may come to its verdict between two lines of this test, but not all.
    seen = set()
    for each in began:
        judge.judge(scene.begin(each))
        seen.add(scene.row(each).state)
    assert State.RUNNING in seen
    judge.wait()
    assert {scene.row(each).state for each in began} == {State.SCORED}
    assert {scene.private_run(each) for each in began} == {WorkState.QUEUED}


def test_numbers_that_diagnostics_name_are_kept_and_others_are_not(
    application: Application, tmp_path: Path
) -> None:
    scene = TableScene(application, tmp_path, diagnostics=["own_novelty"])
    row = scene.judged(
        {"score": 0.5, "numbers": {"novelty": 0.75, "leak": 1.0}},
        {"score": 0.5, "numbers": {"novelty": 0.5}},
    )
    with scene.application.database.read() as session:
        public = session.get_one(PublicScore, row.id)
    assert public.diagnostics == {
        "own_novelty": {"score": "3/4", "objectives": {"prediction": "3/4"}, "notes": {}}
    }


def test_what_the_metric_says_to_the_participant_is_short_clean_and_charged(
    scene: TableScene,
) -> None:
    text = "bad\x1b[31m column\n\u202e" + "x" * 400
    row = scene.judged({"outcome": "refused", "text": text})
    assert row.state == State.REJECTED
    assert row.problem is not None
    assert row.problem["code"] == "metric-refused"
    assert row.problem["detail"].startswith("bad[31m column xxx")
    assert len(row.problem["detail"]) == 280
    assert (scene.slots(), scene.private_run(row.id)) == (1, None)


def test_a_metric_that_fails_keeps_the_slot_and_tells_only_the_organizers(
    scene: TableScene,
) -> None:
    row = scene.judged({"outcome": "failed", "report": "Traceback\nKeyError: 'x'"})
    assert (row.state, row.problem) == (State.FAILED, {"code": "metric-failed"})
    note = scene.run(row.id).note
    assert note is not None
    assert note["report"] == "Traceback\nKeyError: 'x'"
    assert row.failure == "The metric failed: KeyError: 'x'"
    assert scene.slots() == 1
    assert scene.scores(row.id) == (None, None)


def test_a_file_that_is_at_fault_meets_no_metric_and_is_free(scene: TableScene) -> None:
    row = scene.judge(scene.submit(b"bad"))
    assert row.state == State.REJECTED
    assert row.problem is not None
    assert row.problem["code"] == "bad-number"
    assert (row.metric_version, scene.slots()) == (None, 0)


def test_where_metrics_are_switched_off_files_wait_and_nothing_is_counted(
    application: Application, tmp_path: Path
) -> None:
    scene = TableScene(application, tmp_path, in_children=True, custom_metrics="off")
    row = scene.judged(HALF)
    assert (row.state, scene.run(row.id).own_failures, row.problem) == (State.QUEUED, 0, None)
    with application.database.read() as session:
        pause = session.query(JudgingPause).one()
    assert "PODIUM_CUSTOM_METRICS is off" in pause.because


def test_a_mistake_of_ours_in_reading_stays_ours(application: Application, tmp_path: Path) -> None:
    scene = TableScene(application, tmp_path, in_children=True)
    row = scene.judge(scene.submit(b"raise"))
    run = scene.run(row.id)
    assert (row.state, run.own_failures) == (State.QUEUED, 1)
    assert run.lease_until is not None


@pytest.mark.parametrize(
    "private",
    [
        {"outcome": "failed", "report": "ZeroDivisionError"},
        {"outcome": "refused", "text": "no"},
        {"score": "nan"},
    ],
)
def test_a_private_run_that_fails_changes_nothing_of_the_public_verdict(
    scene: TableScene, private: dict[str, Any]
) -> None:
    row = scene.judged(HALF, private)
    run = scene.run(row.id, is_private=True)
    assert (row.state, run.state, row.problem) == (State.SCORED, WorkState.FAILED, None)
    assert scene.scores(row.id) == ("1/2", None)
    assert run.note is not None
    assert run.note["report"]
    assert (run.lease_until, row.failure, scene.slots()) == (None, None, 1)


@pytest.mark.parametrize("private", [HALF, {"outcome": "failed", "report": "KeyError"}])
def test_a_private_run_changes_nothing_of_its_judging(
    scene: TableScene, private: dict[str, Any]
) -> None:
    row_id = scene.submit_table(HALF, private)
    before, after = scene.judge_public(row_id), scene.judge(row_id)
    assert scene.run(row_id, is_private=True).ended_at is not None
    for column in Judging.__table__.columns:
        assert getattr(after, column.key) == getattr(before, column.key), column.key


def test_terms_of_both_splits_are_stored_side_by_side(scene: TableScene) -> None:
    row = scene.judged(
        {"score": 0.5, "terms": "rows", "terms_of": [0.0, 1.0], "standard_error": 0.5},
        {"score": 1.5, "terms": "rows", "terms_of": [1.0, 2.0]},
    )
    with scene.application.database.read() as session:
        stored = lookups.hits_of(session, row)
    assert stored is not None
    assert stored == scene.run(row.id, is_private=True).hits_sha256
    with scene.application.storage.local(Area.HITS, stored) as file:
        found = stored_terms(file)
        content = file.read_bytes()
    assert [(name, each.head.value, each.head.count) for name, each in found.items()] == [
        ("public", "1/2", 2),
        ("private", "3/2", 2),
    ]
    assert len(content) - found["public"].start == 32


def test_a_rejudging_has_both_runs_before_its_verdict(scene: TableScene) -> None:
    first = scene.judged(HALF, {"score": 0.125})
    again = scene.rejudge(first.id, own_metric={"version": 2, "seconds": 20})
    row = scene.judge(again)
    assert (row.state, row.metric_version) == (State.SCORED, 2)
    assert scene.private_run(row.id) == WorkState.DONE
    assert scene.scores(row.id) == ("1/2", "1/8")
