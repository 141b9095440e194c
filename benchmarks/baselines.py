"""`python -m benchmarks.baselines`: what the simple recommenders score, and what they cost.

Each is run as `podium baseline` on a synthetic competition, and, where the folder of the 20 real
sessions is given, on those: there it learns from the truncated sessions alone, because the whole
ones hold the answers. Prints Markdown; progress goes to stderr.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import report
from podium.baselines.registry import SESSIONS
from podium.otto.synthetic import synthesize
from podium.scoring.engine import judge, read_truth
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO


@dataclass(frozen=True)
class Row:
    """One baseline: scores by objective, seconds, and the peak of its memory in bytes."""

    name: str
    score: float
    objectives: dict[str, float]
    wall: float
    processor: float
    memory: int


def main() -> None:
    """Runs all baselines on what the options name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=100_000, help="test sessions")
    parser.add_argument("--train", type=int, help="training sessions; else four times as many")
    parser.add_argument(
        "--only", nargs="+", choices=SESSIONS, default=[*SESSIONS], help="which ones"
    )
    parser.add_argument("--sample", type=Path, help="folder of the 20 real sessions")
    report.add_write(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="baselines-") as name:
        folder = Path(name)
        lines = report.head("Baselines")
        synthesize(folder, sessions=options.sessions, train=options.train)
        train, test = (folder / f"{part}_sessions.jsonl" for part in ("train", "test"))
        truth = folder / "test_labels.jsonl"
        lines += [f"Synthetic, {options.sessions:,} test sessions:", ""]
        lines += _table(_measured(options.only, train, test, truth, folder))
        if options.sample:
            test, truth = (options.sample / f"cut42.test_{n}.jsonl" for n in ("sessions", "labels"))
            lines += ["", "The 20 real sessions:", ""]
            lines += _table(_measured(options.only, test, test, truth, folder))
    report.publish("baselines", lines, is_kept=options.write)


def _measured(
    names: Sequence[str], train: Path, test: Path, labels: Path, folder: Path
) -> list[Row]:
    truth, published = read_truth(labels, task=OTTO, published=None, split=SplitRule("whole"))
    rows = []
    for name in names:
        out = folder / f"{name}.csv"
        wall, processor, memory = _run(name, train, test, out)
        scored = judge(out, task=OTTO, published=published, truth=truth, scratch=folder)
        whole = scored.splits["all"]
        values = {objective: float(value) for objective, value in whole.values.items()}
        score = float(whole.score(OTTO))
        rows.append(Row(name, score, values, wall, processor, memory))
        print(f"{name}: {score:.4f}, {wall:.0f} s", file=sys.stderr)
    return sorted(rows, key=lambda row: row.score)


def _run(name: str, train: Path, test: Path, out: Path) -> tuple[float, float, int]:
    command = [sys.executable, "-m", "podium.cli", "baseline", name]
    command += ["--train", str(train), "--test", str(test), "--out", str(out)]
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.monotonic() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {child.returncode}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def _table(rows: list[Row]) -> Iterator[str]:
    yield "| baseline | score | clicks | carts | orders | s | processor s | peak GB |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        values = " | ".join(f"{row.objectives[name]:.4f}" for name in OTTO.names)
        costs = f"{row.wall:.0f} | {row.processor:.0f} | {row.memory / 1e9:.1f}"
        yield f"| {row.name} | {row.score:.4f} | {values} | {costs} |"


if __name__ == "__main__":
    main()
