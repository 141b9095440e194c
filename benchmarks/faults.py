"""`python -m benchmarks.faults`: every fault of `tests/system/faults`, a season on a cluster
whose parts are killed, and a report of them.

Writes Markdown to `benchmarks/results/faults.md`, anew while it runs, so that a run that is
interrupted leaves what it had shown by then. The same tests are in `make test-all`, where each goes
through a few faults only. It wants a machine without other work: everything is still true on a busy
one, and takes longer.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import RESULTS_FOLDER, machine
from tests.builders.machine.clocks import libraries

RESULTS = RESULTS_FOLDER / "faults.md"

TESTS = ("tests/system/faults", "tests/system/cluster/test_season.py")

SIDE_BY_SIDE = 2
"""Tests at a time: each waits for its processes more than it computes."""

HEAD = """# Faults

Each row is a test: so many faults, one after another, on one installation. After every one, what
was acknowledged has its row and its bytes; at the end everything is sent again under its key,
judged by a healthy worker, and held against invariants: nothing lost, nothing judged twice, every
score that of a slow scorer, quota kept, boards right, no secret in an answer or a log, nothing
left over. Each harness finds a bug that was planted for it (`test_planted.py`, and beside each).
"""


def main(points: int, seconds: float) -> int:
    """Runs the tests with this budget for each of them; answers pytest's status."""
    _install()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.jsonl"
        with _tests(points, seconds, report) as tests:
            while True:
                RESULTS.write_text(_document(_rows(report), tests.poll()))
                if tests.poll() is not None:
                    return tests.returncode
                try:
                    tests.wait(timeout=10)
                except subprocess.TimeoutExpired:
                    continue


def _tests(points: int, seconds: float, report: Path) -> subprocess.Popen[bytes]:
    side_by_side = ["-n", str(SIDE_BY_SIDE), "--dist", "load", "--maxschedchunk", "1"]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:randomly", "-v", *side_by_side, *TESTS],
        env={
            **os.environ,
            "FAULTS_POINTS": str(points),
            "FAULTS_SECONDS": str(seconds),
            "FAULTS_REPORT": str(report),
        },
    )


def _install() -> None:
    """Installs the Debian packages without which tests are skipped, where that may be done."""
    missing = [] if shutil.which("strace") else ["strace"]
    missing += [] if libraries() else ["faketime"]
    if not missing:
        return
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") and (not as_root or shutil.which(as_root[0])):
        quietly = [*as_root, "apt-get", "-qq"]
        subprocess.run([*quietly, "update"], check=False)
        subprocess.run(
            [*quietly, "install", "-y", "--no-install-recommends", *missing], check=False
        )
    print(f"Without {' and '.join(missing)} tests are skipped, and say so.", flush=True)


def _rows(report: Path) -> list[dict[str, Any]]:
    lines = report.read_text().splitlines() if report.exists() else []
    return sorted(map(json.loads, lines), key=lambda row: (row["what"], row["where"]))


def _document(rows: list[dict[str, Any]], status: int | None) -> str:
    if status is None:
        outcome = "**The run has not ended, or was interrupted.**"
    else:
        outcome = "All tests passed." if status == 0 else f"**pytest ended with {status}.**"
    totals: Counter[str] = Counter()
    for row in rows:
        totals[row["what"]] += row["faults"]
    table = [
        f"| {row['what']} | {row['where']} | {row['faults']} | {row['seconds']} | {row['note']} |"
        for row in rows
    ]
    sums = [f"| {what} | {faults} |" for what, faults in totals.items()]
    return "\n".join(
        [
            HEAD,
            *machine.described(),
            "",
            f"{outcome} {sum(totals.values())} faults.",
            "",
            "| fault | times |",
            "|---|---|",
            *sums,
            "",
            "| fault | installation | times | seconds | note |",
            "|---|---|---|---|---|",
            *table,
            "",
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=100, help="kill points of each kind")
    parser.add_argument("--seconds", type=float, default=900, help="after which none is begun")
    given = parser.parse_args()
    sys.exit(main(given.points, given.seconds))
