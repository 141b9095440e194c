"""`python -m benchmarks.faults`: every fault of `tests/functional/faults`, and a report of them.

Writes Markdown to `benchmarks/RESULTS-faults.md`. The same tests are in `make test`, where each
goes through a few faults only. It wants a machine without other work: everything is still true on a
busy one, and takes longer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import machine

RESULTS = Path(__file__).with_name("RESULTS-faults.md")

HEAD = """# Faults

Each row is a test: so many faults, one after another, on one installation. After every one, what
was acknowledged has its row and its bytes; at the end everything is sent again under its key,
judged by a healthy worker, and held against invariants: nothing lost, nothing judged twice, every
score that of a slow scorer, quota kept, boards right, no secret in an answer or a log, nothing
left over. Each harness finds a bug that was planted for it (`test_planted.py`).
"""


def main(points: int, seconds: float) -> int:
    """Runs the tests with this budget for each of them; answers pytest's status."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.jsonl"
        status = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:randomly", "-q", "tests/functional/faults"],
            env={
                **os.environ,
                "FAULTS_POINTS": str(points),
                "FAULTS_SECONDS": str(seconds),
                "FAULTS_REPORT": str(report),
            },
            check=False,
        ).returncode
        lines = report.read_text().splitlines() if report.exists() else []
    rows = [json.loads(line) for line in lines]
    RESULTS.write_text(_document(points, seconds, rows, status))
    return status


def _document(points: int, seconds: float, rows: list[dict[str, object]], status: int) -> str:
    outcome = "All tests passed." if status == 0 else f"**pytest ended with {status}.**"
    table = [
        f"| {row['what']} | {row['database']} | {row['faults']} | {row['seconds']} |"
        for row in rows
    ]
    total = sum(int(str(row["faults"])) for row in rows)
    return "\n".join(
        [
            HEAD,
            *machine.described(),
            f"- command: `make faults POINTS={points} SECONDS={seconds:.0f}`",
            "",
            f"{outcome} {total} faults.",
            "",
            "| fault | database | times | seconds |",
            "|---|---|---|---|",
            *table,
            "",
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=500, help="kill points of each process")
    parser.add_argument("--seconds", type=float, default=3600, help="for each kind of kill points")
    given = parser.parse_args()
    sys.exit(main(given.points, given.seconds))
