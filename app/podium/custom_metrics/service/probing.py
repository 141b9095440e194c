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
from podium.custom_metrics.service.trials import Trial, folder
from podium.sandbox import Limits, Sandbox
from podium.sandbox.answers import NoAnswer, Refused, good_answer, left
from podium.sandbox.definitions.metric_launches import (
    BY_CHANCE,
    PERFECT,
    SHUFFLED,
    MakeTriedColumns,
)
from podium.storage import Area, Storage

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


def probe(
    probes: CustomProbes, *, storage: Storage, sandbox: Sandbox, limits: Limits, scratch: Path
) -> CustomProbed:
    """Scores everything that a launch needs, in children. Raises `NoAnswer` if we are at fault."""
    inputs = probes.inputs
    try:
        sample = trials.columns_of(
            Trial(inputs, None), storage=storage, sandbox=sandbox, limits=limits, scratch=scratch
        )
    except NoAnswer as error:
        if not isinstance(error.answer, Refused):
            raise
        return CustomProbed((), refusal=error.answer.problem["detail"])
    columns, unmatched = _columns(
        inputs, sample, storage=storage, sandbox=sandbox, limits=limits, scratch=scratch
    )
    done: list[ProbeRun] = []
    planned = planned_runs(inputs.solutions)
    for number, each in enumerate(planned):
        if is_left_out(each, done):
            continue
        outcome = runs.run(
            inputs,
            split=each.split,
            columns=columns[each.file],
            storage=storage,
            sandbox=sandbox,
            limits=limits,
            scratch=folder(scratch, f"run-{number}"),
            hash_seed=each.hash_seed,
            shuffled_by=SEED if each.is_reordered else None,
        )
        done.append(ProbeRun(planned=each, outcome=outcome))
    return CustomProbed(tuple(done), unmatched, left_out=len(planned) - len(done))


def _columns(
    inputs: MetricInputs,
    sample: Path,
    *,
    storage: Storage,
    sandbox: Sandbox,
    limits: Limits,
    scratch: Path,
) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Returns the canonical columns of each file, and the names of columns whose perfect values are
    unknown."""
    with ExitStack() as files:
        solutions = [
            files.enter_context(storage.local(Area.GROUND_TRUTH, sha256))
            for sha256 in inputs.solutions.values()
        ]
        task = MakeTriedColumns(
            sample=sample, solutions=tuple(solutions), task=inputs.task, seed=SEED
        )
        result = sandbox.run(task, limits=limits, scratch=folder(scratch, "columns"))
    answer = good_answer(result)
    columns = {
        "perfect": left(result, PERFECT),
        "sample": sample,
        AGREEING: left(result, BY_CHANCE),
        "shuffled": left(result, SHUFFLED),
    }
    return columns, answer.unmatched
