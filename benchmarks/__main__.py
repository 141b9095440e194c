"""`python -m benchmarks`: makes the files where they are missing, runs everybody, prints the table.

Results go to stdout as Markdown, progress to stderr. Ends with 1 when contestants disagree.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import sys
from pathlib import Path

import platformdirs

from benchmarks import RESULTS_FOLDER, machine, report
from benchmarks.contest import Contestant, Run, compete, measured

FULL_SESSIONS, FULL_ITEMS = 1_671_803, 1_855_603
ORDERS = ("by-type", "shuffled")
EIGHT = tuple(
    f"{name}@20"
    for name in (
        "precision",
        "recall",
        "recall_capped",
        "hit_rate",
        "mrr",
        "map",
        "map_capped",
        "ndcg",
    )
)
HERE = Path(__file__).parent
RESULTS = RESULTS_FOLDER / "scoring.md"


def main(argv: list[str]) -> int:
    """Runs the benchmark as the options say; returns the exit status."""
    options = _options(argv)
    folder = _files(options)
    tenth = folder.parent / f"{folder.name}-tenth"
    _make(folder, options.sessions, ORDERS if options.orders else ())
    _make(tenth, max(1, options.sessions // 10), ())
    contestants = _contestants(folder, tenth, options.orders)
    _warm(contestants)
    results = compete(contestants, options.runs)
    if options.peers:
        results |= compete(_peers(folder), 1)
    lines = _page(results, options)
    print("\n".join(lines))
    if options.write:
        RESULTS.write_text("\n".join(lines) + "\n")
    wrong = report.disagreements(results, _questions(results))
    for sentence in wrong:
        print(f"disagreement: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--sessions", type=int, default=FULL_SESSIONS, help="test sessions (default: all of OTTO)")
    add("--runs", type=int, default=5, help="rounds of all contestants (default: 5)")
    add("--orders", action="store_true", help="ours on files ordered by type and shuffled, too")
    add("--peers", action="store_true", help="the slow scripts, once; 8 GB at full size")
    add("--write", action="store_true", help=f"also write {RESULTS.name}")
    cache = Path(platformdirs.user_cache_dir("podium")) / "benchmarks"
    add("--data-dir", type=Path, default=cache, help=f"where files are kept (default: {cache})")
    return parser.parse_args(argv)


def _files(options: argparse.Namespace) -> Path:
    """The folder of the files. Its name holds the size and a hash of the code that makes them."""
    source = hashlib.sha256()
    for path in sorted((HERE.parent / "app" / "otto").glob("*.py")):
        source.update(path.read_bytes())
    folder: Path = options.data_dir / f"otto-{options.sessions}-{source.hexdigest()[:8]}"
    return folder


def _make(folder: Path, sessions: int, orders: tuple[str, ...]) -> None:
    """Makes what is missing in the folder, and the ground truth in our form anew."""
    print(f"files in {folder}", file=sys.stderr)
    # A tenth of the sessions keeps the whole catalogue, so that its rows are as long.
    asked = (str(folder), str(sessions), str(FULL_ITEMS), "interleaved", *orders)
    measured(Contestant("fixtures", "fixtures", asked))
    labels = str(folder / "test_labels.jsonl")
    measured(Contestant("prepare", "prepare", (labels, str(folder))))


def _contestants(folder: Path, tenth: Path, orders: bool) -> list[Contestant]:
    """Everybody who takes part in every round."""
    plain, prepared = folder / "interleaved.csv", str(folder)
    found = [
        Contestant(report.FLOOR, "contestants.floor", (str(plain),)),
        Contestant(report.OURS, "contestants.ours", (str(plain), prepared)),
    ]
    found.append(Contestant(report.OURS_EIGHT, "contestants.ours", (str(plain), prepared, *EIGHT)))
    if importlib.util.find_spec("duckdb"):
        asked = (str(plain), str(folder / "labels.parquet"))
        found.append(Contestant("DuckDB query", "contestants.duckdb_query", asked))
    else:
        print("duckdb is not installed: left out", file=sys.stderr)
    for kind, suffix in (("gzip", ".gz"), ("zstd", ".zst")):
        packed = f"{plain}{suffix}"
        found.append(Contestant(f"{report.FLOOR}, {kind}", "contestants.floor", (packed,)))
        found.append(Contestant(f"{report.OURS}, {kind}", "contestants.ours", (packed, prepared)))
    for order in ORDERS if orders else ():
        arguments = (str(folder / f"{order}.csv"), prepared)
        found.append(Contestant(f"{report.OURS}, {order}", "contestants.ours", arguments))
    small = (str(tenth / "interleaved.csv"), str(tenth))
    return [*found, Contestant(report.OURS_TENTH, "contestants.ours", small)]


def _peers(folder: Path) -> list[Contestant]:
    plain = str(folder / "interleaved.csv")
    return [
        Contestant(
            "usual Polars script",
            "contestants.polars_script",
            (plain, str(folder / "labels.parquet")),
        ),
        Contestant(
            report.PYTHON, "contestants.plain_python", (plain, str(folder / "test_labels.jsonl"))
        ),
    ]


def _warm(contestants: list[Contestant]) -> None:
    """Reads every file once: what is measured is work, not the disk."""
    for name in {argument for one in contestants for argument in one.arguments}:
        path = Path(name)
        if path.is_file():
            with path.open("rb") as file:
                while file.read(1 << 24):
                    pass


def _questions(results: dict[str, list[Run]]) -> dict[str, str]:
    """The name of the question that each program answers: hits must be equal among all on all
    sessions, apart from those on a tenth."""
    return {name: "tenth" if name == report.OURS_TENTH else "whole" for name in results}


def _page(results: dict[str, list[Run]], options: argparse.Namespace) -> list[str]:
    rows = f"{3 * options.sessions:,} rows of twenty items, seed 42"
    head = ["# Results", "", f"- submission: {rows}", *machine.described(), ""]
    reading = "Median (least–most) of whole processes, in turn; ratios are paired by round."
    return [*head, reading, "", *report.table(results), "", *report.aims(results)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
