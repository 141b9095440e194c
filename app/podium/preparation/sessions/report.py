"""Writes the report of prepared sessions for the organizer: JSON, Markdown, one page of HTML, and
the histogram of session lengths as SVG, all without scripts, fonts or other external resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from podium.preparation.report import Row, table, write_texts
from podium.preparation.sessions.counting import PreparationCounts

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 40, 50
LONGEST_SHOWN = 40
"""The last length on the axis: longer sessions are few, and would make all bars thin."""

COLORS = ("#20639b", "#d95f02", "#4d9221")


def length_picture(series: Mapping[str, Mapping[int, int]]) -> str:
    """Draws the share of sessions by their number of events as an SVG, with one line per named
    histogram.

    The share of the sessions that are longer than the axis is shown in the legend.
    """
    shares = {name: _shares(counts) for name, counts in series.items() if counts}
    top = max((max(line.values(), default=0.0) for line in shares.values()), default=0.0) or 1.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' font-family="sans-serif" font-size="12"><title>Events of a session</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_axes(top),
    ]
    for place, (name, line) in enumerate(shares.items()):
        parts += _line(line, top, COLORS[place % len(COLORS)])
        parts.append(_legend(name, series[name], place))
    return "\n".join([*parts, "</svg>\n"])


def _shares(counts: Mapping[int, int]) -> dict[int, float]:
    total = sum(counts.values())
    return {n: counts.get(n, 0) / total for n in range(1, LONGEST_SHOWN + 1)}


def _x(length: int) -> float:
    return LEFT + (length - 1) / (LONGEST_SHOWN - 1) * (WIDTH - LEFT - RIGHT)


def _y(share: float, top: float) -> float:
    return HEIGHT - BOTTOM - share / top * (HEIGHT - TOP - BOTTOM)


def _axes(top: float) -> list[str]:
    bottom = HEIGHT - BOTTOM
    parts = [f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#555"/>']
    for length in (1, 5, 10, 15, 20, 25, 30, 35, 40):
        x = _x(length)
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{length}</text>')
    for step in range(5):
        share = top * step / 4
        y = _y(share, top)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.1%}</text>')
    title = "events of a session, and the share of the sessions that have so many"
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 12}">{title}</text>')
    return parts


def _line(shares: Mapping[int, float], top: float, color: str) -> list[str]:
    points = " ".join(f"{_x(n):.1f},{_y(share, top):.1f}" for n, share in shares.items())
    return [f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>']


def _legend(name: str, counts: Mapping[int, int], place: int) -> str:
    longer = sum(count for n, count in counts.items() if n > LONGEST_SHOWN)
    text = f"{name} ({longer / sum(counts.values()):.1%} longer)"
    x, color = LEFT + 10 + place * 210, COLORS[place % len(COLORS)]
    return (
        f'<rect x="{x}" y="16" width="12" height="12" fill="{color}"/>'
        f'<text x="{x + 18}" y="26">{escape(text)}</text>'
    )


def write_report(to: Path, counts: PreparationCounts, *, cut_by: str) -> list[Path]:
    """Writes `report.json`, `report.md`, `report.svg` and `report.html`, and returns their paths.

    `cut_by` describes the source of the cuts, and never contains a key.
    """
    document = {"cut_by": cut_by, **counts.to_dict()}
    picture = length_picture(_histograms(document))
    tables = list(_tables(document))
    html = _html(tables, picture)
    texts = {"report.md": _markdown(tables), "report.svg": picture, "report.html": html}
    return write_texts(to, document, texts)


def _histograms(document: Mapping[str, Any]) -> dict[str, dict[int, int]]:
    test = document["test"]
    found = {"test, whole": test["lengths"], "test, as shown": test["visible_lengths"]}
    if document["train"] is None:
        return found
    return {"training": document["train"]["lengths"], **found}


def _tables(document: Mapping[str, Any]) -> Iterator[tuple[str, list[Row]]]:
    """Yields tables as titles and rows, the first of which is the head."""
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
        lines += [f"## {title}", "", *table(head, rows)]
    return "\n".join([*lines, "![Events of a session](report.svg)", ""])


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
