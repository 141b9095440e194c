"""Synthetic submissions, taken apart."""

from __future__ import annotations

import json
from pathlib import Path

TYPES = ("clicks", "carts", "orders")


def body(path: Path) -> list[str]:
    header, *rows, end = path.read_bytes().decode("ascii").split("\n")
    assert header == "session_type,labels"
    assert end == ""
    return rows


def recalls(submission: Path, labels: Path) -> dict[str, float]:
    """Micro recall capped at 20, straight from its definition."""
    predicted = dict(row.split(",") for row in body(submission))
    hits, wanted = dict.fromkeys(TYPES, 0), dict.fromkeys(TYPES, 0)
    for line in labels.read_text().splitlines():
        truth = json.loads(line)
        for name, aids in truth["labels"].items():
            relevant = {aids} if isinstance(aids, int) else set(aids)
            answer = {int(aid) for aid in predicted[f"{truth['session']}_{name}"].split()[:20]}
            hits[name] += len(relevant & answer)
            wanted[name] += min(20, len(relevant))
    return {name: hits[name] / wanted[name] for name in TYPES}
