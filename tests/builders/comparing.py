"""A competition whose submissions are compared: sessions enough for intervals, and files."""

from __future__ import annotations

from typing import Any

SESSIONS = 400
TRUTH = "user,labels,Usage\n" + "".join(
    f"{n},{n + 1} {n + 2},{'Public' if n < SESSIONS else 'Private'}\n" for n in range(2 * SESSIONS)
)
SETTINGS: dict[str, Any] = {
    "preset": "ndcg@10",
    "metric": "recall@5",
    "diagnostics": ["hit_rate@5"],
    "daily_limit": 100,
}


def file_of(found: int) -> str:
    """Both labels of every session whose number ends with less than `found`, else the first."""
    rows = (f"{n},{n + 1} {n + 2 if n % 10 < found else 9999}\n" for n in range(2 * SESSIONS))
    return "user,labels\n" + "".join(rows)
