"""`python -m benchmarks`: makes the files where they are missing, runs everybody, prints the table.

Results go to stdout as Markdown, progress to stderr. Ends with 1 when contestants disagree.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from pathlib import Path

import platformdirs

from benchmarks import aims, machine, report
from benchmarks.contest import Contestant, compete, measured, of_ours
from benchmarks.contestants.lineup import ALL, FLOOR, ORDERS, Lineup

FULL_SESSIONS, FULL_ITEMS = 1_671_803, 1_855_603
HERE = Path(__file__).parent


def main(argv: list[str]) -> int:
    """Runs the benchmark as the options say; returns the exit status."""
    began, options = machine.moment(), _options(argv)
    folder = made_files(options.data_dir, options.sessions, "--second", *ORDERS)
    tenth = folder.with_name(f"{folder.name}-tenth")
    _make(tenth, max(1, options.sessions // 10), "--raw")
    lineup = Lineup(folder, tenth, options.data_dir)
    often, once = lineup.every_round, [*lineup.once, *(lineup.peers if options.peers else ())]
    _warm([*often, *once])
    results = compete(often, options.runs) | compete(once, 1)
    everybody = [*often, *once]
    lines = [
        *_head(options, began),
        *report.table(results, everybody, FLOOR),
        "",
        ALL,
        *(f"Not run: {reason}." for reason in lineup.not_run),
        "",
        *aims.table(results),
    ]
    report.publish("scoring", lines, is_kept=options.write)
    wrong = report.disagreements(results, everybody)
    for sentence in wrong:
        print(f"disagreement: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add_files(parser)
    add("--runs", type=int, default=5, help="rounds of all contestants (default: 5)")
    add("--peers", action="store_true", help="the slow scripts, once; 8 GB at full size")
    report.add_write(parser)
    return parser.parse_args(argv)


def add_files(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say which files are made, and where."""
    add = parser.add_argument
    add("--sessions", type=int, default=FULL_SESSIONS, help="test sessions (default: all of OTTO)")
    cache = Path(platformdirs.user_cache_dir("podium")) / "benchmarks"
    add("--data-dir", type=Path, default=cache, help=f"where files are kept (default: {cache})")


def made_files(data_dir: Path, sessions: int, *more: str) -> Path:
    """Makes what is missing of the files, and answers their folder, whose name holds the size and a
    hash of the code that makes them."""
    source = hashlib.sha256()
    for path in sorted((HERE.parent / "app" / "podium" / "otto").glob("*.py")):
        source.update(path.read_bytes())
    folder = data_dir / f"otto-{sessions}-{source.hexdigest()[:8]}"
    _make(folder, sessions, *more)
    return folder


def _make(folder: Path, sessions: int, *more: str) -> None:
    """Makes what is missing in the folder, and the ground truth in our form anew."""
    print(f"files in {folder}", file=sys.stderr)
    # A tenth of the sessions keeps the whole catalogue, so that its rows are as long.
    asked = (str(folder), str(sessions), str(FULL_ITEMS), *more)
    measured(Contestant("fixtures", of_ours("fixtures", *asked)))
    labels = str(folder / "test_labels.jsonl")
    measured(Contestant("prepare", of_ours("prepare", labels, str(folder))))


def _warm(contestants: list[Contestant]) -> None:
    """Reads every file once, and runs everybody who keeps something for the next time: what is
    measured is work, not the disk."""
    for name in {argument for one in contestants for argument in one.command[1:]}:
        path = Path(name)
        if path.is_file():
            with path.open("rb") as file:
                while file.read(1 << 24):
                    pass
    for one in contestants:
        if one.keeps:
            measured(one)


def _head(options: argparse.Namespace, began: machine.Moment) -> list[str]:
    rows = f"{3 * options.sessions:,} rows of twenty items, seed 42"
    return [
        *report.head("Scoring", began),
        f"The submission has {rows}.",
        "Median (least–most) of whole processes, in turn; ratios are paired by round.",
        "",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
