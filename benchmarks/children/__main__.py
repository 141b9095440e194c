"""`python -m benchmarks.children`: the cost of starting a child, by itself and from a warm process.

Children take turns, so that a slow minute hits both ways; ratios are taken round by round, then
their median. CPU seconds are those of the child, without what its warm process used once. Prints
Markdown; progress goes to stderr. With `--files`, two workers also judge so many small files, each
on a core of its own, in either way.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import machine, report
from benchmarks.children import TASKS_MODULE, SmallMetric, custom_metrics
from benchmarks.contest import paired_ratio
from benchmarks.contestants.judge_child import LIMITS, judging
from benchmarks.report import Aim
from benchmarks.workers import ITEMS, SEED, participant, seconds_of, serving
from podium.otto.submissions import write_submission
from podium.otto.synthetic import synthesize
from podium.sandbox import SandboxTask
from podium.sandbox.children import ChildSandbox

COLD, WARM = "by itself", "warm"
SESSIONS = 100
METRIC_SECONDS = 1.5
"""The most that a metric's child may take to its end, started by itself."""

FILES_A_MINUTE = {COLD: 60, WARM: 200}
"""The least number of small files that two cores judge in a minute."""


@dataclass(slots=True)
class Starts:
    """Measured starts of one kind of child in one way."""

    sandbox: ChildSandbox
    task: SandboxTask[Any]
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def run(self, *, is_counted: bool) -> None:
        """Runs one child from before its start to its end."""
        with tempfile.TemporaryDirectory() as scratch:
            used, began = _used(), time.perf_counter()
            result = self.sandbox.run(self.task, limits=LIMITS, scratch=Path(scratch))
            wall, cpu = time.perf_counter() - began, _used() - used
        if result.answer is None:
            sys.exit(f"{result.failure}: {result.report}")
        if is_counted:
            self.wall.append(wall)
            self.cpu.append(cpu)


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(argv: list[str]) -> None:
    """Measures, prints."""
    began, options = machine.moment(), _options(argv)
    with tempfile.TemporaryDirectory() as folder:
        one = judging(Path(folder))
        kinds = {
            "judging of one session": {way: Starts(_sandbox(way), one) for way in (COLD, WARM)},
            "metric with pandas and scikit-learn": {
                way: Starts(_sandbox(way, TASKS_MODULE), SmallMetric()) for way in (COLD, WARM)
            },
        }
        for number in range(options.rounds + 1):
            for ways in kinds.values():
                for starts in ways.values():
                    starts.run(is_counted=number > 0)
            print(f"round {number}", file=sys.stderr)
    lines = [*report.head("Children", began), *_table(kinds)]
    metric = kinds["metric with pandas and scikit-learn"][COLD]
    aims = [Aim("a metric's child by itself, wall s", median(metric.wall), METRIC_SECONDS)]
    if options.files:
        for way, rate in _files_a_minute(options).items():
            text = f"small files a minute on two cores, {way}"
            aims.append(Aim(text, rate, FILES_A_MINUTE[way], at_least=True))
    head = ["| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    lines += ["", *head, *(aim.line() for aim in aims)]
    if options.custom_metrics:
        lines += ["", *custom_metrics.measured(options.custom_metrics, options.file_rounds)]
    print("\n".join(lines))


def _sandbox(way: str, tasks_module: str = "podium.sandbox.tasks") -> ChildSandbox:
    # Isolation costs its time wherever there is some; where there is none, the rest is measured.
    sandbox = ChildSandbox(
        threads=1,
        tasks_module=tasks_module,
        is_weak_allowed=True,
        is_warm=way == WARM,
        custom_metrics="on-unsandboxed",
    )
    sandbox.readable  # noqa: B018 - found once in the life of a worker
    return sandbox


def _table(kinds: dict[str, dict[str, Starts]]) -> list[str]:
    lines = [
        "| child | start | wall s | CPU s | CPU, times less |",
        "| --- | --- |" + " ---: |" * 3,
    ]
    for name, ways in kinds.items():
        for way, starts in ways.items():
            less = paired_ratio(ways[COLD].cpu, starts.cpu)
            wall, cpu = median(starts.wall), median(starts.cpu)
            lines.append(f"| {name} | {way} | {wall:.3f} | {cpu:.3f} | {less:.1f} |")
    return lines


def _files_a_minute(options: argparse.Namespace) -> dict[str, float]:
    """The median rate of two workers, in either way."""
    cores, rates = sorted(os.sched_getaffinity(0))[:2], {COLD: [0.0], WARM: [0.0]}
    with tempfile.TemporaryDirectory(prefix="podium-children-") as folder, ExitStack() as stack:
        here = stack.enter_context(serving(Path(folder), ""))
        labels, file = Path(folder) / "files", Path(folder) / "files" / "submission.csv"
        synthesize(labels, sessions=SESSIONS, seed=SEED, items=ITEMS, labels_only=True)
        write_submission(file, sessions=SESSIONS, seed=SEED, items=ITEMS)
        ada = stack.enter_context(participant(here, labels / "test_labels.jsonl"))
        for number in range(options.file_rounds):
            for way, found in rates.items():
                warm = {"PODIUM_WARM_CHILDREN": str(int(way == WARM))}
                so = replace(here, environment=here.environment | warm)
                found.append(60 * options.files / seconds_of(so, ada, file, options.files, cores))
                print(f"files, round {number}, {way}: {found[-1]:.0f} a minute", file=sys.stderr)
    return {way: median(found[1:]) for way, found in rates.items()}


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.children")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--files", type=int, default=0, help="small files of a round of workers")
    parser.add_argument("--metric-files", type=int, default=0, help="tables of such a round")
    parser.add_argument("--file-rounds", type=int, default=2)
    return parser.parse_args(argv)


if __name__ == "__main__":
    main(sys.argv[1:])
