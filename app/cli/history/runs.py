"""`podium runs`: files that were scored here and files that were submitted, side by side."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.configuration import (
    competition_named,
    configuration,
    connect,
    is_address_default,
)
from podium.cli.history.choosing import (
    against,
    chosen_competition,
    chosen_measure,
    elsewhere,
    labels_of,
    left_out,
    measure_of,
    played,
)
from podium.cli.history.correlation import FEWEST, coefficients, drawing, scatter
from podium.cli.history.entries import Entry, entries, keep_submissions, scored_by
from podium.cli.outcome import complain
from podium.cli.participant.competing import Slug
from podium.cli.printing import AsCsv, AsJson, Columns, print_json, print_rows
from podium.cli.written import Force, fetched
from podium.errors import NotConfigured, NotFound
from podium.errors.spelling import did_you_mean

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
            metavar="FILE|HASH",
            help="Ground truth whose local scores are shown: its path, its name, or the first 8"
            " digits of its hash; by default the one that pairs with the competition.",
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
    force: Force = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show your history: local scores beside public ones, and how well they correlate.

    `podium score` and `podium submit` write it. A local score and a submission belong together when
    their files are the same, byte by byte, or when both have the same message (-m). Each submission
    has a row, also where the file was submitted before. Local scores are those against the ground
    truth with which most of the competition's submissions were scored. Submissions are those to the
    server of your login; signed out, to the one used last. The history stays on this machine.
    """
    if refresh:
        _refresh(competition_named(slug))
    found, here = entries(), configuration()
    server = None if is_address_default() else here.url
    if slug is not None and not refresh:
        _require_known(slug, found, server)
    document, paired = _document(found, slug or here.competition, server, truth)
    rows, hidden = document["runs"], document.pop("left_out")
    pairs = [(row["local"], row["public"]) for row in paired]
    comparable = [] if document["metrics_differ"] else pairs
    document["correlation"] = {"pairs": len(pairs), **coefficients(comparable)}
    if as_json:
        print_json(document)
    else:
        columns = RUNS if as_csv else _with_metric(document["metric"])
        print_rows(rows, columns, as_json=False, as_csv=as_csv, below=("file", "note"))
    if (chart or plot) and not pairs:
        raise NotConfigured("No file has both a local and a public score yet.")
    if plot is not None:
        names = [row["note"] or row["file"] for row in paired]
        picture = drawing(pairs, names=names, title=_sentence(document))
        with fetched(plot, force=force) as fresh:
            fresh.write_text(picture, encoding="utf-8")
    if not (as_json or as_csv) and pairs:
        print(f"\n{scatter(pairs)}\n" if chart else "")
        print(_sentence(document))
    if not rows:
        complain("Nothing yet: `podium score` and `podium submit` write the history.")
    for sentence in hidden if not (as_json or as_csv) else ():
        complain(sentence)


def _require_known(slug: str, found: list[Entry], server: str | None) -> None:
    sent = [entry for entry in found if entry["kind"] == "submission"]
    if chosen_competition(sent, slug, server):
        return
    known = {entry["competition"] for entry in sent}
    asked = f"`podium runs {slug} --refresh` asks the server."
    remedy = elsewhere(sent, server, slug) or did_you_mean(slug, known) or asked
    place = f" at {server}" if slug in known else ""
    raise NotFound(f"Your history has no submission to {slug}{place}. {remedy}")


def _with_metric(metric: str | None) -> Columns:
    """The columns with the metric of the local scores in the title of theirs."""
    return [
        (f"local {metric}" if title == "local" and metric else title, show) for title, show in RUNS
    ]


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
        keep_submissions(podium.connection.url, scored_by(podium, slug), *changed)


def _document(
    found: list[Entry], competition: str | None, server: str | None, truth: str | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One row a submission, or a run without one, the latest last; and the rows that are pairs, of
    each run the last one, so that no file counts twice. Scores of one ground truth and measure only
    are comparable, and those of one competition."""
    every_score = [entry for entry in found if entry["kind"] == "score"]
    local = every_score if truth is None else against(every_score, truth)
    every_sent = [entry for entry in found if entry["kind"] == "submission"]
    chosen = chosen_competition(every_sent, competition, server)
    others = [entry for entry in every_sent if played(entry) != chosen]
    # Later lines of a submission replace the earlier ones.
    own = {entry["id"]: entry for entry in every_sent if played(entry) == chosen}
    sent = list(own.values())
    measured = chosen_measure(local, sent, others, is_named=truth is not None)
    local = [entry for entry in local if measure_of(entry) == measured]
    other_scores = left_out(every_score, measured) if truth is None else None
    other_servers = elsewhere(every_sent, *(chosen or (server, competition)))
    every = [_rows(run) for run in _runs(sorted(local + sent, key=lambda entry: entry["at"]))]
    document = {
        "server": chosen[0] if chosen else None,
        "competition": chosen[1] if chosen else None,
        "truth": labels_of(every_score)[measured[1]] if measured else None,
        "truth_sha256": measured[1] if measured else None,
        "measure": measured[2] if measured else None,
        **_metrics(local, sent),
        "left_out": [each for each in (other_scores, other_servers) if each],
        "runs": sorted(chain.from_iterable(every), key=_age),
    }
    return document, [complete[-1] for complete in map(_complete, every) if complete]


def _age(row: dict[str, Any]) -> tuple[str, str]:
    """The time, and for equal ones the submission's id, which grows with time."""
    return row["at"], row["submission_id"] or ""


def _complete(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["local"] is not None and row["public"] is not None]


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


def _rows(run: list[Entry]) -> list[dict[str, Any]]:
    """A run's submissions, or its last entry where nothing was submitted, each with the last local
    score of its file, or else of the run."""
    local = [entry for entry in run if entry["kind"] == "score"]
    sent = [entry for entry in run if entry["kind"] == "submission"]
    note = next((entry["note"] for entry in reversed(run) if entry["note"]), "")
    rows = []
    for entry in sent or run[-1:]:
        own = [each for each in local if each["sha256"] == entry["sha256"]]
        rows.append(
            {
                "at": entry["at"],
                "file": entry["file"],
                "note": note,
                "sha256": entry["sha256"],
                "local": next((each["score"] for each in reversed(own or local)), None),
                "public": entry.get("public_score"),
                "private": entry.get("private_score"),
                "status": entry.get("status"),
                "submission_id": entry["id"] if sent else None,
            }
        )
    return rows


def _metrics(local: list[Entry], sent: list[Entry]) -> dict[str, Any]:
    """The metrics of the local scores and of the competition, and whether they are known to be
    different ones."""
    here: str = (local[-1].get("metric") if local else None) or ""
    there: str = next((entry["metric"] for entry in reversed(sent) if entry.get("metric")), "")
    return {
        "metric": here or (local[-1]["measure"] if local else None),
        "competition_metric": there or None,
        "metrics_differ": bool(here and there) and set(here.split()) != set(there.split()),
    }


def _sentence(document: dict[str, Any]) -> str:
    found = document["correlation"]
    count = f"{found['pairs']} pair{'' if found['pairs'] == 1 else 's'}"
    about = f"{document['truth']} ({document['measure']}) and {document['competition']}: {count}"
    if document["metrics_differ"]:
        metrics = f"{document['metric']} here, {document['competition_metric']} there"
        return f"{about}, not correlated: the metrics differ ({metrics})"
    if found["pairs"] < FEWEST:
        return f"{about}, too few to correlate"
    shown = ", ".join(
        f"{name.capitalize()} {'–' if found[name] is None else f'{found[name]:.3f}'}"
        for name in ("pearson", "spearman")
    )
    return f"{about}, {shown}"
