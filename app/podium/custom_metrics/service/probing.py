"""Runs of a custom metric before a launch: on the perfect file, the sample submission, one by
chance and shuffled rows, each on either split in a fresh child; once more with other seeds of
hashes, and with the solution in another order. `planning` says which are left out."""

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
    """The inputs of the runs; `is_of_errors` where less is better."""

    inputs: MetricInputs
    is_of_errors: bool
    is_reproducible: bool

    def within(self, seconds: float) -> CustomProbes:
        """The same with no longer runs than this installation allows."""
        return replace(self, inputs=self.inputs.within(seconds))


def probe(
    probes: CustomProbes, *, storage: Storage, sandbox: Sandbox, limits: Limits, scratch: Path
) -> CustomProbed:
    """Has children score everything that a launch looks at. Raises `NoAnswer` where we are at
    fault."""
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
    """The canonical columns of each file, and those of which the perfect values are not known."""
    with ExitStack() as files:
        solutions = [
            files.enter_context(storage.local(Area.GROUND_TRUTH, sha256))
            for sha256 in inputs.solutions.values()
        ]
        task = MakeTriedColumns(
            sample=sample, solutions=tuple(solutions), task=inputs.task, seed=SEED
        )
        made = sandbox.run(task, limits=limits, scratch=folder(scratch, "columns"))
    answer = good_answer(made)
    columns = {
        "perfect": left(made, PERFECT),
        "sample": sample,
        AGREEING: left(made, BY_CHANCE),
        "shuffled": left(made, SHUFFLED),
    }
    return columns, answer.unmatched
