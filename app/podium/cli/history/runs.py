"""`podium runs`: files that were scored here and files that were submitted, side by side."""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.completing import ConfiguredSlug
from podium.cli.configuration import (
    competition_named,
    configuration,
    connect,
    is_address_default,
)
from podium.cli.history.choosing import chosen_competition, elsewhere
from podium.cli.history.correlation import FEWEST, coefficients, drawing, scatter
from podium.cli.history.documents import Row, document_of
from podium.cli.history.entries import (
    Entry,
    entries,
    keep_reading,
    keep_submissions,
    scoring_of,
)
from podium.cli.legible import say
from podium.cli.outcome import complain
from podium.cli.printing import AsCsv, AsJson, Columns, members, print_json, print_rows
from podium.cli.written import Force, fetched
from podium.errors import NotConfigured, NotFound
from podium.errors.spelling import did_you_mean

FILE: Columns = (
    ("when", lambda row: row["at"]),
    *members("file", "note"),
    ("sha256", lambda row: row["sha256"][:8]),
)

GAP = "–"
"""Shown in a table for an unknown score."""

LOCAL_DECIMALS = 6

Score = Callable[[Row], float | None]


def runs(
    slug: ConfiguredSlug = None,
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
    truth with which most of the competition's submissions were scored, by the competition's custom
    metric if there are any; other metrics have columns of their own. Submissions are those to the
    server of your login; signed out, to the one used last. Their scores are as they were when the
    file was submitted, or with the last --refresh. The history stays on this machine.
    """
    if refresh:
        _refresh(competition_named(slug))
    found, here = entries(), configuration()
    server = None if is_address_default() else here.url
    if slug is not None and not refresh:
        _require_known(slug, found, server)
    document, paired, hidden = document_of(found, slug or here.competition, server, truth)
    rows = document["runs"]
    pairs = [(row["local"], row["public"]) for row in paired]
    comparable = [] if document["metrics_differ"] else pairs
    document["correlation"] = {"pairs": len(pairs), **coefficients(comparable)}
    if as_json:
        print_json(document)
    else:
        columns = _columns(document, is_table=not as_csv)
        print_rows(rows, columns, as_json=False, as_csv=as_csv, below=("file", "note"))
    if (chart or plot) and not pairs:
        raise NotConfigured("No file has both a local and a public score yet.")
    if plot is not None:
        names = [row["note"] or row["file"] for row in paired]
        picture = drawing(pairs, names=names, title=_sentence(document))
        with fetched(plot, force=force) as fresh:
            fresh.write_text(picture, encoding="utf-8")
        complain(f"Wrote {plot}.")
    if not (as_json or as_csv) and pairs:
        print(f"\n{scatter(pairs)}\n" if chart else "")
        say(_sentence(document))
    if not rows:
        complain("Nothing yet: `podium score` and `podium submit` write the history.")
    # If both outputs go to the same place, these sentences come below the table there, too.
    sys.stdout.flush()
    read_at = None if refresh else document["scores_read_at"]
    for sentence in [*hidden, *([_reading(document)] if read_at else [])]:
        complain(sentence)


def _reading(document: dict[str, Any]) -> str:
    """Returns a sentence about the age of the scores, which a rejudging may have changed since."""
    again = f"`podium runs {document['competition']} --refresh`"
    return f"Scores were read at {document['scores_read_at']}; {again} reads them anew."


def _require_known(slug: str, found: list[Entry], server: str | None) -> None:
    sent = [entry for entry in found if entry["kind"] == "submission"]
    if chosen_competition(sent, slug, server):
        return
    known = {entry["competition"] for entry in sent}
    asked = f"`podium runs {slug} --refresh` asks the server."
    remedy = elsewhere(sent, server, slug) or did_you_mean(slug, known) or asked
    place = f" at {server}" if slug in known else ""
    raise NotFound(f"Your history has no submission to {slug}{place}. {remedy}")


def _columns(document: dict[str, Any], *, is_table: bool) -> Columns:
    """Returns the columns: the local score by the compared metric, which is in its title, then
    those by other metrics, and the public ones with all decimals."""
    gap = GAP if is_table else None
    title = document["title"]
    decimals = document["decimals"]
    return [
        *FILE,
        _scores(f"local {title}" if title else "local", itemgetter("local"), gap=gap),
        *(_scores(f"local {name}", _by(name), gap=gap) for name in document["metrics"]),
        *(_scores(name, itemgetter(name), decimals, gap=gap) for name in ("public", "private")),
        ("status", itemgetter("status")),
    ]


def _by(metric: str) -> Score:
    return lambda row: row["metrics"].get(metric)


def _scores(
    title: str, score_of: Score, decimals: int = LOCAL_DECIMALS, *, gap: str | None
) -> tuple[str, Callable[[Row], str | None]]:
    """Returns a column of scores with equally many decimals."""

    def show(row: Row) -> str | None:
        score = score_of(row)
        return gap if score is None else f"{score:.{decimals}f}"

    return title, show


def _refresh(slug: str) -> None:
    """Records the submissions that have changed, the oldest first."""
    known = {entry["id"]: entry for entry in entries() if entry["kind"] == "submission"}
    members = ("status", "public_score", "private_score")
    with connect() as podium:
        changed = [
            document
            for document in reversed(list(podium.submissions(slug)))
            if any(known.get(document["id"], {}).get(name) != document[name] for name in members)
        ]
        keep_submissions(podium.connection.url, scoring_of(podium, slug), *changed)
        keep_reading(podium.connection.url, slug)


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
