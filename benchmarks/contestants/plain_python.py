"""Plain Python with the organizer's meaning: cut to twenty, then count distinct items that were
relevant, divide by min(20, relevant). Standard library only; it checks nothing.

Usage: `python -m benchmarks.contestants.plain_python FILE LABELS_JSONL`.
"""

from __future__ import annotations

import csv
import json
import sys
import time

from benchmarks.contest import hand_back

TYPES = ("clicks", "carts", "orders")


def relevant_items(path: str) -> dict[int, dict[str, set[int]]]:
    """Per session and type the set of relevant items."""
    relevant = {}
    with open(path) as lines:  # noqa: PTH123 - the script as people write it
        for line in lines:
            truth = json.loads(line)
            relevant[truth["session"]] = {
                name: {items} if isinstance(items, int) else set(items)
                for name, items in truth["labels"].items()
            }
    return relevant


def predictions(path: str) -> dict[int, dict[str, list[int]]]:
    """Per session and type the first twenty predicted items."""
    predicted: dict[int, dict[str, list[int]]] = {}
    with open(path, newline="") as lines:  # noqa: PTH123 - the script as people write it
        for row in csv.DictReader(lines):
            session, name = row["session_type"].split("_")
            items = [int(item) for item in row["labels"].split(" ")[:20]]
            predicted.setdefault(int(session), {})[name] = items
    return predicted


def score(submission: str, labels: str) -> tuple[float, dict[str, int]]:
    """The weighted score of all sessions, and the hits per type."""
    relevant, predicted = relevant_items(labels), predictions(submission)
    hits, wanted = dict.fromkeys(TYPES, 0), dict.fromkeys(TYPES, 0)
    for session, truth in relevant.items():
        for name, items in truth.items():
            hits[name] += len(items & set(predicted.get(session, {}).get(name, [])))
            wanted[name] += min(20, len(items))
    recall = {name: hits[name] / wanted[name] for name in TYPES}
    total = 0.10 * recall["clicks"] + 0.30 * recall["carts"] + 0.60 * recall["orders"]
    return total, hits


if __name__ == "__main__":
    started = time.perf_counter()
    _, found = score(sys.argv[1], sys.argv[2])
    hand_back(started, found)
