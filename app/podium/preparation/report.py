"""Writes the report of a preparation for organizers, as JSON and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from podium.preparation.statistics import moment_text

Row = tuple[str, ...]

PUBLIC_REPORT = "report.md"

BAR = 40
"""Characters of the longest bar of a histogram."""

_DROPPED = {
    "below_threshold": "below the threshold",
    "duplicates": "duplicates",
    "too_few": "of users or items with too few interactions",
}


def write_report(to: Path, report: Mapping[str, Any]) -> list[Path]:
    """Writes `report.json` and `report.md`, and returns their paths."""
    return write_texts(to, report, {"report.md": markdown(report)})


def write_texts(to: Path, report: Mapping[str, Any], texts: Mapping[str, str]) -> list[Path]:
    """Writes `report.json`, and the other forms of the report under their names; returns the
    paths."""
    files = {"report.json": json.dumps(report, indent=1) + "\n", **texts}
    for name, text in files.items():
        (to / name).write_text(text)
    return [to / name for name in files]


def write_public_report(to: Path, train: Mapping[str, Any]) -> Path:
    """Writes the statistics of the training set, which reveal nothing that it does not contain."""
    lines = ["# The training set", "", *table(("", "train"), _figures([train]))]
    lines += _histograms(train, "")
    file = to / PUBLIC_REPORT
    file.write_text("\n".join(lines))
    return file


def markdown(report: Mapping[str, Any]) -> str:
    """Renders the whole report as Markdown."""
    lines = [
        "# Prepared interactions",
        "",
        f"From `{report['file']}`, drawn by {report['drawn_by']}.",
        "",
    ]
    sets = {"raw": report["raw"], "kept": report["kept"]}
    parts = report.get("folds") or [report]
    for place, part in enumerate(parts, start=1):
        sets[f"train of fold {place}" if len(parts) > 1 else "train"] = part["train"]
    lines += table(("", *sets), _figures(list(sets.values())))
    dropped = [(_DROPPED[name], f"{count:,}") for name, count in report["dropped"].items()]
    lines += ["## Dropped", "", *table(("interactions", "count"), dropped)]
    lines += ["## Hidden", "", *table(_LABEL_HEAD, _labels(parts)), *_ties(report)]
    return "\n".join([*lines, *_histograms(report["kept"], ", of those kept")])


def _histograms(figures: Mapping[str, Any], of_which: str) -> Iterator[str]:
    for name, title in (("per_user", "a user"), ("per_item", "an item")):
        bars = histogram(figures[name]["histogram"])
        yield from (f"## Interactions of {title}{of_which}", "", "```text", *bars, "```", "")


_LABEL_HEAD = ("", "users", "labels", "items", "hidden", "labels of items not in train")


def _labels(parts: list[Mapping[str, Any]]) -> Iterator[Row]:
    for place, part in enumerate(parts, start=1):
        title = f"fold {place}" if len(parts) > 1 else "labels"
        yield (title, *(f"{count:,}" for count in part["labels"].values()))


def _ties(report: Mapping[str, Any]) -> list[str]:
    lines = []
    if "share_of_equal_times" in report:
        share = report["share_of_equal_times"]
        lines.append(f"{share:.2%} of the interactions have the same time as another of the user.")
    if report.get("tied_users"):
        lines.append(f"{report['tied_users']:,} users were cut between equal times, by the key.")
    if "train_until" in report:
        unit = report["kept"]["times"]["unit"]
        until = report["train_until"]
        shown = moment_text(until, unit) if unit else f"{until:,}"
        lines.append(f"The training set ends at {shown}.")
    return [*lines, ""]


def _figures(sets: list[Mapping[str, Any]]) -> Iterator[Row]:
    for name in ("interactions", "users", "items"):
        yield (name, *(f"{each[name]:,}" for each in sets))
    yield ("density", *(f"{each['density']:.6f}" for each in sets))
    yield ("Gini of popularity", *(f"{each['gini_of_popularity']:.4f}" for each in sets))
    for name, title in (("per_user", "per user"), ("per_item", "per item")):
        yield (f"mean {title}", *(f"{each[name]['mean']:.2f}" for each in sets))
        yield (f"median {title}", *(f"{each[name]['quantiles']['0.5']:,}" for each in sets))


def table(head: Row, rows: Iterable[Row]) -> list[str]:
    """Renders a Markdown table as lines, followed by a blank one."""
    lines = [head, ("---",) * len(head), *rows]
    return [*(f"| {' | '.join(cells)} |" for cells in lines), ""]


def histogram(bars: list[Mapping[str, int]]) -> Iterator[str]:
    """Renders a histogram as lines of text, with bars of at most `BAR` characters."""
    most = max((bar["count"] for bar in bars), default=1)
    for bar in bars:
        span = f"{bar['from']:,}" if bar["from"] == bar["to"] else f"{bar['from']:,}–{bar['to']:,}"
        drawn = "█" * round(BAR * bar["count"] / most)
        yield f"{span:>19} {bar['count']:>11,} {drawn}".rstrip()
