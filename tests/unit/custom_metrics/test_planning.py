"""Runs that a launch makes of a custom metric, and those that it leaves out."""

from __future__ import annotations

from typing import Literal

from podium.custom_metrics.rules.outcomes import CustomProbed, PlannedRun, ProbeRun, RunOutcome
from podium.custom_metrics.rules.planning import (
    NEEDED,
    PATIENCE_SECONDS,
    is_left_out,
    planned_runs,
)
from podium.materials.rules.custom_metric_checks import custom_metric_checks

BOTH = ("public", "private")

Outcome = Literal["measured", "refused", "failed"]


def ended(run: PlannedRun, seconds: float, *, outcome: Outcome = "measured") -> ProbeRun:
    score = (0.5).hex() if outcome == "measured" else None
    return ProbeRun(run, RunOutcome(outcome=outcome, seconds=seconds, score=score))


def made(seconds: float, *, outcome: Outcome = "measured") -> list[ProbeRun]:
    """The runs of a launch of a metric that takes so long for each."""
    done: list[ProbeRun] = []
    for run in planned_runs(BOTH):
        if not is_left_out(run, done):
            done.append(ended(run, seconds, outcome=outcome))
    return done


def test_a_quick_metric_is_run_on_every_file_and_split() -> None:
    runs = [each.planned for each in made(1.0)]
    assert len(runs) == len(set(runs)) == 14
    for split in BOTH:
        of_split = [run for run in runs if run.split == split]
        assert {run.file for run in of_split} == {"perfect", "sample", "chance", "shuffled"}
        seeds = {run.hash_seed for run in of_split if run.hash_seed is not None}
        assert len(seeds) == 3
        assert sum(run.is_reordered for run in of_split) == 1


def test_only_processes_that_must_agree_are_started_by_themselves() -> None:
    seeded = [run for run in planned_runs(BOTH) if run.hash_seed is not None]
    assert {run.file for run in seeded} == {"chance"}
    assert len(seeded) == 6


def test_a_metric_of_ten_minutes_is_run_as_often_as_a_launch_needs() -> None:
    assert [each.planned for each in made(600.0)] == list(NEEDED)


def test_a_metric_that_fails_after_minutes_is_not_run_again() -> None:
    assert len(made(PATIENCE_SECONDS, outcome="failed")) == 1
    assert len(made(1.0, outcome="failed")) == 14


def test_a_split_without_rows_has_no_runs() -> None:
    assert {run.split for run in planned_runs(["private"])} == {"private"}


def test_the_checklist_says_what_was_left_out_and_how_many_processes_agree() -> None:
    lines = {}
    for seconds in (1.0, 600.0):
        runs = made(seconds)
        probed = CustomProbed(tuple(runs), left_out=14 - len(runs))
        checks = custom_metric_checks(probed, is_of_errors=False, is_reproducible=True)
        lines[seconds] = {check.code: check for check in checks}
    quick, slow = lines[1.0], lines[600.0]
    assert quick["own-metric-reproducible"].detail.startswith("Three fresh processes")
    assert "own-metric-left-out" not in quick
    assert slow["own-metric-reproducible"].detail.startswith("Two fresh processes")
    left_out = slow["own-metric-left-out"]
    assert left_out.detail.startswith("The metric is slow: 4 runs took 2400 s, and 10 more were")
    assert (left_out.passed, left_out.is_must) == (False, False)
    assert "own-metric-order" not in slow


def test_no_processes_are_said_to_agree_where_one_alone_has_run() -> None:
    runs = made(PATIENCE_SECONDS, outcome="failed")
    checks = custom_metric_checks(
        CustomProbed(tuple(runs)), is_of_errors=False, is_reproducible=True
    )
    assert "own-metric-reproducible" not in {check.code for check in checks}
