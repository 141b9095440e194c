"""`podium baseline`: simple recommenders, to compare with and to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.extras import Extra, require
from podium.cli.outcome import Exit, complain
from podium.cli.preparation.otto_options import PreparedTypes, types_named
from podium.cli.printing import AsJson, Timeout, print_facts, print_json
from podium.cli.written import Force, fetched
from podium.errors import NotConfigured

Sessions = Annotated[
    Path, typer.Option(exists=True, dir_okay=False, help="JSON lines, plain, gzip or zstd.")
]
Out = Annotated[
    Path,
    typer.Option(
        "--out",
        "-o",
        dir_okay=False,
        help="The submission; its name's ending .gz, .zst or .parquet says how it is packed.",
    ),
]
Top = Annotated[int, typer.Option(min=1, max=1000, help="Maximum items per row.")]


def baseline(
    name: Annotated[
        Literal["popular", "recent", "covisitation", "als", "random"],
        typer.Argument(help="Which one."),
    ],
    train: Sessions,
    test: Sessions,
    out: Out,
    top: Top = 20,
    types: PreparedTypes = None,
    submit: Annotated[
        str | None,
        typer.Option(
            "--submit",
            metavar="SLUG",
            help="Organizers only: put it on the board of this competition, tagged as a baseline"
            " and without a rank.",
        ),
    ] = None,
    team: Annotated[
        str | None,
        typer.Option(help="With --submit: the name of the row; else the baseline's."),
    ] = None,
    timeout: Timeout = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Recommend items for truncated sessions, and write a valid submission.

    popular: what has most events of a type. recent: the items of the session, the last first.
    covisitation: these, then what is seen together with them, weighted by closeness, time and type,
    then popular items; clicks, or else the most frequent type, count as looks. als: matrix
    factorization (needs the extra `als`). random: any items. The same files give the same bytes.
    """
    from podium.baselines.sessions import baseline_rows
    from podium.scoring.writing import container_of, write_rows

    if name == "als":
        require(Extra.ALS, "podium baseline als")
    if team is not None and submit is None:
        raise NotConfigured("--team goes with --submit.")
    objectives = types_named(types, prepared=[test, train])
    with fetched(out, force=force) as fresh:
        rows = baseline_rows(name, train=train, test=test, length=top, types=objectives)
        count = write_rows(rows, fresh, container_of(out))
    facts: dict[str, Any] = {"file": str(out), "rows": count}
    if submit is not None:
        facts |= _submitted(submit, out, team or name.capitalize(), timeout)
    if as_json:
        print_json(facts)
    else:
        print_facts({key.replace("_", " "): value for key, value in facts.items()})
    if facts.get("status", "scored") != "scored":
        raise typer.Exit(Exit.SERVER)


def _submitted(slug: str, file: Path, name: str, timeout: float | None) -> dict[str, Any]:
    """Uploads a file for a team that is tagged as a baseline, made where there is none yet."""
    with connect_as_organizer() as organizer:
        known = (team for team in organizer.teams(slug) if team["name"] == name)
        team = next(known, None)
        if team is None:
            team = organizer.make_baseline(slug, name)
        elif "baseline" not in team["tags"]:
            raise NotConfigured(f"{name} is a team of participants: choose another --team.")
        sent = organizer.submit(slug, file, note="podium baseline", team=team["id"])
        complain(f"Uploaded as {sent['id']}.")
        ended = organizer.wait(sent["id"], timeout=timeout)
    shown = {"team": name, "submission": sent["id"], "status": ended["status"]}
    return shown | {"public_score": ended["public_score"]}
