"""What was prepared, for the organizer to read: JSON, Markdown and one page of HTML.

It tells lengths of whole test sessions and counts of hidden labels: not for participants.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from podium.otto.preparation.counting import Counts
from podium.otto.preparation.picture import length_picture

Row = tuple[str, ...]


def write_report(to: Path, counts: Counts, *, cut_by: str) -> list[Path]:
    """Writes `report.json`, `report.md`, `report.svg` and `report.html`; answers them.

    `cut_by` says in words where the cuts come from, and never a key.
    """
    document = {"cut_by": cut_by, **counts.to_dict()}
    picture = length_picture(_histograms(document))
    tables = list(_tables(document))
    texts = {
        "report.json": json.dumps(document, indent=1) + "\n",
        "report.md": _markdown(tables),
        "report.svg": picture,
        "report.html": _html(tables, picture),
    }
    for name, text in texts.items():
        (to / name).write_text(text)
    return [to / name for name in texts]


def _histograms(document: Mapping[str, Any]) -> dict[str, dict[int, int]]:
    test = document["test"]
    found = {"test, whole": test["lengths"], "test, as shown": test["visible_lengths"]}
    if document["train"] is None:
        return found
    return {"training": document["train"]["lengths"], **found}


def _tables(document: Mapping[str, Any]) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows, the first of which is the head."""
    raw, test, train = document["raw"], document["test"], document["train"]
    facts: list[Row] = [("", ""), ("files", str(raw["files"])), ("events", f"{raw['events']:,}")]
    facts.append(("last event", _moment(raw["latest_ts"])))
    if document["split_ts"] is not None:
        facts.append(("test sessions start after", _moment(document["split_ts"])))
    facts.append(("cut by", document["cut_by"]))
    yield "Raw sessions", facts
    parts = {"test (whole)": test} if train is None else {"training": train, "test (whole)": test}
    rows: list[Row] = [("", "sessions", "events", "items", *test["types"])]
    for name, part in parts.items():
        shares = [f"{count / max(1, part['events']):.2%}" for count in part["types"].values()]
        counts = (f"{part[key]:,}" for key in ("sessions", "events", "items"))
        rows.append((name, *counts, *shares))
    yield "What was made of them", rows
    yield "Hidden labels", _labels(document["labels"], test["sessions"])
    names = {
        "train_events": "training events from the split on, or of sessions that became too short",
        "train_sessions": "training sessions of fewer than two events before the split",
        "events_of_unknown_items": "test events of items that the training set lacks",
        "test_sessions": "test sessions that have fewer than two events left",
    }
    dropped: list[Row] = [(text, f"{document['dropped'][key]:,}") for key, text in names.items()]
    yield "Left out", [("", ""), *dropped]


def _labels(labels: Mapping[str, Mapping[str, int]], sessions: int) -> list[Row]:
    rows: list[Row] = [("objective", "sessions with labels", "share", "labels", "more than 20")]
    for name, kind in labels.items():
        share = f"{kind['sessions'] / max(1, sessions):.2%}"
        counts = f"{kind['labels']:,}", f"{kind['longer_than_20']:,}"
        rows.append((name, f"{kind['sessions']:,}", share, *counts))
    return rows


def _moment(milliseconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds:,} ms"


def _markdown(tables: list[tuple[str, list[Row]]]) -> str:
    lines = ["# Prepared sessions", ""]
    for title, (head, *rows) in tables:
        lines += [f"## {title}", "", _row(head), _row(("---",) * len(head)), *map(_row, rows), ""]
    return "\n".join([*lines, "![Events of a session](report.svg)", ""])


def _row(cells: Row) -> str:
    return f"| {' | '.join(cells)} |"


def _html(tables: list[tuple[str, list[Row]]], picture: str) -> str:
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Prepared sessions</title>',
        "<style>body{font:16px sans-serif;max-width:50em;margin:2em auto}"
        "td,th{padding:.2em .8em;text-align:left}</style><h1>Prepared sessions</h1>",
    ]
    for title, (head, *rows) in tables:
        cells = "".join(f"<th>{cell}</th>" for cell in head)
        body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
        parts.append(f"<h2>{title}</h2><table><tr>{cells}</tr>{body}</table>")
    return "\n".join([*parts, picture, "</html>\n"])
