"""Runs a custom metric before a launch: on the perfect file, the sample submission, a random file
and one with shuffled rows, each on either split in a fresh child; again with other seeds of
Python's hashes, and with the solution in another order. `planning` decides which runs are
skipped."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from podium.custom_metrics.rules.outcomes import (
    AGREEING,
    CustomProbed,
    ProbeRun,
)
from podium.custom_metrics.rules.planning import is_left_out, planned_runs
from podium.custom_metrics.service import runs, trials
from podium.custom_metrics.service.runs import MetricInputs
from podium.custom_metrics.service.trials import Trial
from podium.jobs.means import Means
from podium.sandbox.answers import NoAnswer, Refused, good_answer, left
from podium.sandbox.definitions.metric_launches import (
    BY_CHANCE,
    PERFECT,
    SHUFFLED,
    MakeTriedColumns,
)
from podium.storage import Area

SEED = 17


@dataclass(frozen=True, slots=True)
class CustomProbes:
    """The inputs of the runs; `is_of_errors` if lower is better."""

    inputs: MetricInputs
    is_of_errors: bool
    is_reproducible: bool

    def within(self, seconds: float) -> CustomProbes:
        """Returns the same with runs no longer than this installation allows."""
        return replace(self, inputs=self.inputs.within(seconds))


def probe(probes: CustomProbes, means: Means) -> CustomProbed:
    """Scores everything that a launch needs, in children. Raises `NoAnswer` if we are at fault."""
    inputs = probes.inputs
    try:
        sample = trials.columns_of(Trial(inputs, None), means)
    except NoAnswer as error:
        if not isinstance(error.answer, Refused):
            raise
        return CustomProbed((), refusal=error.answer.problem["detail"])
    columns, unmatched = _columns(inputs, sample, means)
    done: list[ProbeRun] = []
    planned = planned_runs(inputs.solutions)
    for number, each in enumerate(planned):
        if is_left_out(each, done):
            continue
        outcome = runs.run(
            inputs,
            means.in_folder(f"run-{number}"),
            split=each.split,
            columns=columns[each.file],
            hash_seed=each.hash_seed,
            shuffled_by=SEED if each.is_reordered else None,
        )
        done.append(ProbeRun(planned=each, outcome=outcome))
    return CustomProbed(tuple(done), unmatched, left_out=len(planned) - len(done))


def _columns(
    inputs: MetricInputs, sample: Path, means: Means
) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Returns the canonical columns of each file, and the names of columns whose perfect values are
    unknown."""
    with ExitStack() as files:
        solutions = [
            files.enter_context(means.storage.local(Area.GROUND_TRUTH, sha256))
            for sha256 in inputs.solutions.values()
        ]
        task = MakeTriedColumns(
            sample=sample, solutions=tuple(solutions), task=inputs.task, seed=SEED
        )
        result = means.in_folder("columns").run(task)
    answer = good_answer(result)
    columns = {
        "perfect": left(result, PERFECT),
        "sample": sample,
        AGREEING: left(result, BY_CHANCE),
        "shuffled": left(result, SHUFFLED),
    }
    return columns, answer.unmatched
