"""`podium runs`: files that were scored here and files that were submitted, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.configuration import competition_named, configuration, connect
from podium.cli.offline.correlation import coefficients, drawing, scatter
from podium.cli.offline.history import Entry, entries, keep_submissions
from podium.cli.outcome import complain
from podium.cli.participant.competing import Slug
from podium.cli.printing import AsCsv, AsJson, Columns, print_json, print_rows
from podium.errors import NotConfigured

RUNS: Columns = (
    ("when", lambda row: row["at"]),
    ("file", lambda row: row["file"]),
    ("note", lambda row: row["note"]),
    ("sha256", lambda row: row["sha256"][:8]),
    ("local", lambda row: None if row["local"] is None else f"{row['local']:.6f}"),
    ("public", lambda row: row["public"]),
    ("private", lambda row: row["private"]),
    ("status", lambda row: row["status"]),
)


def runs(
    slug: Slug = None,
    truth: Annotated[
        str | None,
        typer.Option(
            help="Show local scores against this ground truth, instead of the last one used."
        ),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Get new scores from the server.")
    ] = False,
    chart: Annotated[
        bool, typer.Option("--chart", help="Plot local against public scores in the terminal.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(dir_okay=False, help="Write the plot to an SVG file.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show your history: local scores beside public ones, and how well they correlate.

    `podium score` and `podium submit` write it. A local score and a submission belong together when
    their files are the same, byte by byte, or when both have the same message (-m). The history
    stays on this machine.
    """
    if refresh:
        _refresh(competition_named(slug))
    document = _document(entries(), slug or configuration().competition, truth)
    rows = document["runs"]
    paired = [row for row in rows if row["local"] is not None and row["public"] is not None]
    pairs = [(row["local"], row["public"]) for row in paired]
    document["correlation"] = {"pairs": len(pairs), **coefficients(pairs)}
    if as_json:
        print_json(document)
    else:
        print_rows(rows, RUNS, as_json=False, as_csv=as_csv)
    if (chart or plot) and not pairs:
        raise NotConfigured("No file has both a local and a public score yet.")
    if plot is not None:
        names = [row["note"] or row["file"] for row in paired]
        plot.write_text(drawing(pairs, names=names, title=_sentence(document)), encoding="utf-8")
    if not (as_json or as_csv) and pairs:
        print(f"\n{scatter(pairs)}\n" if chart else "")
        print(_sentence(document))
    if not rows:
        complain("Nothing yet: `podium score` and `podium submit` write the history.")


def _refresh(slug: str) -> None:
    """Keeps what has changed, the oldest submission first."""
    known = {entry["id"]: entry for entry in entries() if entry["kind"] == "submission"}
    told = ("status", "public_score", "private_score")
    with connect() as podium:
        changed = [
            document
            for document in reversed(list(podium.submissions(slug)))
            if any(known.get(document["id"], {}).get(name) != document[name] for name in told)
        ]
        keep_submissions(podium.connection.url, *changed)


def _document(found: list[Entry], competition: str | None, truth: str | None) -> dict[str, Any]:
    """One row a run, the latest last. Scores of one ground truth and measure only are comparable,
    and those of one competition."""
    local = [entry for entry in found if entry["kind"] == "score"]
    local = [entry for entry in local if truth in (None, entry["truth"])]
    measured = _measure(local[-1]) if local else None
    local = [entry for entry in local if _measure(entry) == measured]
    sent = [entry for entry in found if entry["kind"] == "submission"]
    sent = [entry for entry in sent if competition in (None, entry["competition"])]
    played = _played(sent[-1]) if sent else None
    # Later lines of a submission replace the earlier ones.
    sent = list({entry["id"]: entry for entry in sent if _played(entry) == played}.values())
    return {
        "competition": played[1] if played else None,
        "truth": measured[0] if measured else None,
        "measure": measured[2] if measured else None,
        "runs": [_row(run) for run in _runs(sorted(local + sent, key=lambda entry: entry["at"]))],
    }


def _runs(found: list[Entry]) -> list[list[Entry]]:
    """Entries with the same bytes or the same note, in the order of each run's last entry.

    The file that is scored at home holds other sessions than the one that is submitted, so that
    often the note alone says that both come from one model.
    """
    noted = {entry["sha256"]: entry["note"] for entry in found if entry["note"]}
    by_name: dict[str, list[Entry]] = {}
    for entry in found:
        name = entry["note"] or noted.get(entry["sha256"]) or entry["sha256"]
        by_name[name] = [*by_name.pop(name, []), entry]
    return list(by_name.values())


def _row(run: list[Entry]) -> dict[str, Any]:
    """A run's last local score, and its last submission that has a public one."""
    local = [entry for entry in run if entry["kind"] == "score"]
    sent = [entry for entry in run if entry["kind"] == "submission"]
    scored = [entry for entry in sent if entry["public_score"] is not None]
    submission: Entry = next(reversed(scored or sent), {})
    return {
        "at": run[-1]["at"],
        "file": run[-1]["file"],
        "note": next((entry["note"] for entry in reversed(run) if entry["note"]), ""),
        "sha256": run[-1]["sha256"],
        "local": local[-1]["score"] if local else None,
        "public": submission.get("public_score"),
        "private": submission.get("private_score"),
        "status": submission.get("status"),
        "submission_id": submission.get("id"),
    }


def _measure(entry: Entry) -> tuple[str, str, str]:
    return entry["truth"], entry["truth_sha256"], entry["measure"]


def _played(entry: Entry) -> tuple[str, str]:
    return entry["url"], entry["competition"]


def _sentence(document: dict[str, Any]) -> str:
    found = document["correlation"]
    figures = {name: found[name] for name in ("pearson", "spearman")}
    shown = ", ".join(
        f"{name.capitalize()} {'–' if value is None else f'{value:.3f}'}"
        for name, value in figures.items()
    )
    return (
        f"{document['truth']} ({document['measure']}) and {document['competition']}:"
        f" {found['pairs']} pair{'' if found['pairs'] == 1 else 's'}, {shown}"
    )
