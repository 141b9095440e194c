"""Plans the runs of a custom metric before a launch: their order, and those to skip when runs take
long."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from podium.custom_metrics.rules.outcomes import AGREEING, FILES, SPLITS, PlannedRun, ProbeRun

HASH_SEEDS = (1, 2, 3)
"""Seeds of Python's hashes for processes that must agree. Each of these processes is started cold;
other runs are forked from a warm one if possible."""

PATIENCE_SECONDS = 120.0
"""Seconds of runs after which only the runs that every launch needs are started."""

NEEDED = (
    PlannedRun("perfect", "public", None),
    PlannedRun(AGREEING, "public", HASH_SEEDS[0]),
    PlannedRun(AGREEING, "private", HASH_SEEDS[0]),
    PlannedRun(AGREEING, "public", HASH_SEEDS[1]),
)
"""Runs of every launch, however long they take: they show whether the metric runs on either split,
which direction is better, and whether two processes agree."""


def planned_runs(splits: Collection[str]) -> list[PlannedRun]:
    """Returns all runs for these splits, those first that every launch needs."""
    wanted = [
        run
        for split in SPLITS
        for run in (
            *(PlannedRun(file, split, None) for file in FILES if file != AGREEING),
            *(PlannedRun(AGREEING, split, seed) for seed in HASH_SEEDS),
            PlannedRun(AGREEING, split, None, is_reordered=True),
        )
    ]
    runs = [*NEEDED, *(run for run in wanted if run not in NEEDED)]
    return [run for run in runs if run.split in splits]


def is_left_out(run: PlannedRun, done: Sequence[ProbeRun]) -> bool:
    """True if a launch skips this run: after `PATIENCE_SECONDS` it runs only the needed ones, and
    none once one has failed."""
    if sum(each.outcome.seconds for each in done) < PATIENCE_SECONDS:
        return False
    return run not in NEEDED or any(each.outcome.outcome == "failed" for each in done)
