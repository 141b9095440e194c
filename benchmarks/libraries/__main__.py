"""`python -m benchmarks.libraries`: NDCG@20 of 100,000 users beside other libraries, same answer.

Their environment is made from `libraries.txt` when it is missing. Prints Markdown; progress goes to
stderr. Ends with 1 if a library finds another value.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import platformdirs

from benchmarks import machine, report
from benchmarks.environments import interpreter
from benchmarks.libraries.ours import ARRAYS, OURS, K

HERE = Path(__file__).parent
USERS, ITEMS, MAX_LABELS = 100_000, 50_000, 10
SAME = 1e-9

REMARKS = {
    OURS: "reads and proves 13 MB of text; nothing is prepared but the ground truth",
    ARRAYS: "hits by a join, then the metric; its standard error as well",
    "implicit": "arrays of integers, compiled C++ on all threads; ahead because it reads nothing,"
    " knows no ids and checks nothing",
    "implicit, from the same CSV": "the arrays read by NumPy, unchecked: what ours does besides",
    "ranx": "prepared Qrels and Run, compiled by numba",
    "pytrec_eval-terrier": "prepared dictionaries, evaluator made before",
    "ir_measures": "prepared dictionaries, evaluator made before; through pytrec_eval",
    "RecTools": "prepared pandas frames",
}
"""For each one, what it starts from, its fastest legal input, and what its time includes."""


def main(argv: list[str]) -> int:
    """Measures everybody in turn; returns the exit status."""
    began, options = machine.moment(), _options(argv)
    options.data_dir.mkdir(parents=True, exist_ok=True)
    data = options.data_dir / f"lists-{options.users}.npz"
    if not data.exists():
        make(data, options.users)
    theirs = interpreter(options.data_dir / "libraries", HERE / "libraries.txt")
    seconds: dict[str, list[float]] = {}
    values: dict[str, float] = {}
    versions: dict[str, str] = {}
    for _ in range(options.runs):
        files = [str(data), str(data.with_suffix(".csv")), "3"]
        ours = [sys.executable, "-m", "benchmarks.libraries.ours", *files]
        peers = [str(theirs), str(HERE / "peers.py"), *files]
        for name, found in (_asked(ours) | _asked(peers)).items():
            seconds.setdefault(name, []).extend(found["seconds"])
            values[name], versions[name] = found["value"], found["version"]
    lines = _page(seconds, values, versions, options.users, began)
    report.publish("libraries", lines, is_kept=options.write)
    right = values[OURS]
    wrong = {n: v for n, v in values.items() if not math.isclose(v, right, rel_tol=SAME)}
    for name, value in wrong.items():
        print(f"disagreement: {name} finds {value}, ours {right}", file=sys.stderr)
    return 1 if wrong else 0


def make(path: Path, users: int) -> None:
    """Distinct items of a long-tailed catalogue for every user, and one to ten labels each."""
    rng = np.random.default_rng(42)
    weights = np.cumsum(1 / np.arange(1, ITEMS + 1) ** 0.8)
    lists = np.empty((users, K), dtype=np.int32)
    for start in range(0, users, 10_000):
        size = min(10_000, users - start)
        lists[start : start + size] = _distinct(rng, weights, size)
    counts = rng.integers(1, MAX_LABELS + 1, users)
    user = np.repeat(np.arange(users), counts)
    drawn = _drawn(rng, weights, user.shape)
    from_list = lists[user, rng.integers(0, K, len(user))]
    item = np.where(rng.random(len(user)) < 0.3, from_list, drawn)
    pairs = np.unique(user.astype(np.int64) * ITEMS + item)
    rows = (f"{user},{' '.join(map(str, row))}\n" for user, row in enumerate(lists.tolist()))
    path.with_suffix(".csv").write_text("user,labels\n" + "".join(rows))
    np.savez(path, lists=lists, user=pairs // ITEMS, item=(pairs % ITEMS).astype(np.int32))


def _distinct(rng: np.random.Generator, weights: np.ndarray, users: int) -> np.ndarray:
    """K distinct items for each user: of many draws the first ones that do not repeat."""
    drawn = _drawn(rng, weights, (users, 3 * K))
    order = np.argsort(drawn, axis=1, kind="stable")
    ranked = np.take_along_axis(drawn, order, axis=1)
    repeats = np.zeros(drawn.shape, dtype=bool)
    repeats[:, 1:] = ranked[:, 1:] == ranked[:, :-1]
    late = np.zeros_like(repeats)
    np.put_along_axis(late, order, repeats, axis=1)
    first = np.argsort(late, axis=1, kind="stable")[:, :K]
    return np.take_along_axis(drawn, first, axis=1)


def _drawn(rng: np.random.Generator, weights: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    drawn: np.ndarray = np.searchsorted(weights, rng.random(shape) * weights[-1])
    return drawn.astype(np.int32)


def _options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries", description=__doc__)
    parser.add_argument("--users", type=int, default=USERS, help=f"default: {USERS:,}")
    parser.add_argument("--runs", type=int, default=3, help="rounds of all (default: 3)")
    cache = Path(platformdirs.user_cache_dir("podium")) / "benchmarks"
    parser.add_argument("--data-dir", type=Path, default=cache, help=f"default: {cache}")
    report.add_write(parser)
    return parser.parse_args(argv)


def _asked(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _page(
    seconds: dict[str, list[float]],
    values: dict[str, float],
    versions: dict[str, str],
    users: int,
    began: machine.Moment,
) -> list[str]:
    head = [
        *report.head(f"NDCG@{K} of {users:,} users × {K} items", began),
        "Median (least–most) of calls in processes that are warm, in turn.",
        "",
        "| who | version | seconds | / ours from CSV | value | starts from, and does |",
        "| --- | --- | ---: | ---: | --- | --- |",
    ]
    ours = median(seconds[OURS])
    rows = [
        f"| {name} | {versions[name]} | {median(times):.3f} ({min(times):.3f}–{max(times):.3f})"
        f" | {median(times) / ours:.2f} | {values[name]:.12f} | {REMARKS[name]} |"
        for name, times in sorted(seconds.items(), key=lambda each: median(each[1]))
    ]
    return head + rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
