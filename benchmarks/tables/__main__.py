"""`python -m benchmarks.tables`: reading a table of 5 million rows, beside scanning its columns.

Files are made where they are missing. Prints Markdown; progress goes to stderr. Ends with 1 if two
orders of the same rows mean something else.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

import platformdirs

from benchmarks import machine, report
from benchmarks.contest import Contestant, compete, measured, of_ours, paired_ratio
from benchmarks.report import Aim, Results
from benchmarks.tables.files import IN_ORDER, LABELS, NUMBERS, SHUFFLED

FULL = 5_000_000
MAX_TIMES = 2.0
"""The bound of a reading, in times of `scan_csv` of the same file."""

HERE = Path(__file__).parent
KINDS = [(column, order) for column in (NUMBERS, LABELS) for order in (IN_ORDER, SHUFFLED)]


def main(argv: list[str]) -> int:
    """Measures everybody in turn; returns the exit status."""
    began, options = machine.moment(), _options(argv)
    source = hashlib.sha256((HERE / "files.py").read_bytes()).hexdigest()[:8]
    folder: Path = options.data_dir / f"tables-{options.rows}-{source}"
    if not folder.exists():
        print(f"files in {folder}", file=sys.stderr)
        measured(Contestant("files", of_ours("tables.files", str(folder), str(options.rows))))
    everybody = lineup(folder)
    results = compete(everybody, options.runs)
    lines = [
        *report.head(f"{options.rows:,} rows of a table", began),
        *report.table(results, everybody, _floor(NUMBERS, IN_ORDER)),
        "",
        *_aims(results),
    ]
    report.publish("tables", lines, is_kept=options.write)
    wrong = report.disagreements(results, everybody)
    for sentence in wrong:
        print(f"disagreement: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


def lineup(folder: Path) -> list[Contestant]:
    """All contestants: each file is scanned, and read."""
    found = []
    for column, order in KINDS:
        for name, step, checks in (
            (_floor(column, order), "floor", "nothing"),
            (_read(column, order), "read", "all rows"),
        ):
            command = of_ours("tables.ours", str(folder), column, order, step)
            agreeing = "rows" if step == "floor" else column
            found.append(Contestant(name, command, checks, agreeing))
    return found


def _floor(column: str, order: str) -> str:
    return f"`scan_csv`, {column} {order}"


def _read(column: str, order: str) -> str:
    return f"reading {column} {order}"


def _aims(results: Results) -> list[str]:
    """Ratios of whole processes."""
    aims = []
    for column, order in KINDS:
        ours, floor = (results[name(column, order)] for name in (_read, _floor))
        ratio = paired_ratio([run.wall for run in ours], [run.wall for run in floor])
        aims.append(Aim(f"{_read(column, order)} / `scan_csv`", ratio, MAX_TIMES))
    head = ["| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    return [*head, *(aim.line() for aim in aims)]


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=__doc__)
    add = parser.add_argument
    add("--rows", type=int, default=FULL, help=f"default: {FULL:,}")
    add("--runs", type=int, default=5, help="rounds of all (default: 5)")
    report.add_write(parser)
    cache = Path(platformdirs.user_cache_dir("podium")) / "benchmarks"
    add("--data-dir", type=Path, default=cache, help=f"default: {cache}")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
