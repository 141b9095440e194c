"""`python -m benchmarks.pairs`: judging 50 million scored pairs, beside reading three columns.

Files are made where they are missing. Prints Markdown; progress goes to stderr. Ends with 1 if two
orders of the same rows count differently.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path
from statistics import median

import platformdirs

from benchmarks import machine, report
from benchmarks.contest import Contestant, compete, measured, of_ours, paired_ratio
from benchmarks.report import Aim, Results

FULL = 50_000_000
MAX_MEMORY = 2048
HERE = Path(__file__).parent

FLOOR = "`scan_csv` of three columns"
IN_ORDER, SHUFFLED = "reading, in published order", "reading, shuffled"
AUC, AUC_SHUFFLED = "reading and AUC", "reading and AUC, shuffled"
PLACEMENTS = "reading, AUC and placements"


def main(argv: list[str]) -> int:
    """Measures everybody in turn; returns the exit status."""
    began, options = machine.moment(), _options(argv)
    source = hashlib.sha256((HERE / "files.py").read_bytes()).hexdigest()[:8]
    folder: Path = options.data_dir / f"pairs-{options.pairs}-{source}"
    if not folder.exists():
        print(f"files in {folder}", file=sys.stderr)
        measured(Contestant("files", of_ours("pairs.files", str(folder), str(options.pairs))))
    everybody = lineup(folder)
    results = compete(everybody, options.runs)
    lines = [
        *report.head(f"{options.pairs:,} scored pairs", began),
        *report.table(results, everybody, FLOOR),
        "",
        *_aims(results),
    ]
    report.publish("pairs", lines, is_kept=options.write)
    wrong = report.disagreements(results, everybody)
    for sentence in wrong:
        print(f"disagreement: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


def lineup(folder: Path) -> list[Contestant]:
    """All contestants."""

    def ours(name: str, file: str, *steps: str) -> Contestant:
        command = of_ours("pairs.ours", str(folder), str(folder / file), *steps)
        checks = "nothing" if steps == ("floor",) else "all rows"
        return Contestant(name, command, checks, "auc" if "auc" in steps else "rows")

    return [
        ours(FLOOR, "in-order.csv", "floor"),
        ours(IN_ORDER, "in-order.csv"),
        ours(SHUFFLED, "shuffled.csv"),
        ours(AUC, "in-order.csv", "auc"),
        ours(AUC_SHUFFLED, "shuffled.csv", "auc"),
        ours(PLACEMENTS, "in-order.csv", "auc", "placements"),
    ]


def _aims(results: Results) -> list[str]:
    """Ratios of whole processes, and memory."""
    floor = [run.wall for run in results[FLOOR]]
    ratios = [
        Aim(f"{name} / {FLOOR}", paired_ratio([run.wall for run in results[name]], floor), bound)
        for name, bound in ((AUC, 2), (AUC_SHUFFLED, 4))
    ]
    memory = [
        Aim(f"{name}, peak MiB", median(run.peak for run in results[name]), MAX_MEMORY)
        for name in (AUC, AUC_SHUFFLED, PLACEMENTS)
    ]
    head = ["| aim | reached | bound | held |", "| --- | ---: | ---: | --- |"]
    return [*head, *(aim.line() for aim in [*ratios, *memory])]


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairs", description=__doc__)
    add = parser.add_argument
    add("--pairs", type=int, default=FULL, help=f"default: {FULL:,}")
    add("--runs", type=int, default=3, help="rounds of all (default: 3)")
    report.add_write(parser)
    cache = Path(platformdirs.user_cache_dir("podium")) / "benchmarks"
    add("--data-dir", type=Path, default=cache, help=f"default: {cache}")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
