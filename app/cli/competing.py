"""`podium competitions`, `leaderboard` and `limits`: looking, without changing anything."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from app.cli.configuration import competition_named, connect
from app.cli.outcome import complain
from app.cli.printing import AsCsv, AsJson, Columns, print_facts, print_json, print_rows

Slug = Annotated[str | None, typer.Argument(help="The competition; else the configured one.")]

COMPETITIONS: Columns = (
    ("competition", lambda row: row["slug"]),
    ("title", lambda row: row["title"]),
    ("phase", lambda row: row["phase"]),
    ("ends", lambda row: row.get("ends_at")),
)
FILES: Columns = (
    ("name", lambda row: row["name"]),
    ("bytes", lambda row: row["bytes"]),
    ("sha256", lambda row: row["sha256"]),
)
BOARD: Columns = (
    ("rank", lambda row: row["rank"]),
    ("team", lambda row: row["team"]["name"]),
    ("score", lambda row: row["score"]),
    ("submissions", lambda row: row["submissions"]),
    ("last", lambda row: row["last_submitted_at"]),
    ("tags", lambda row: " ".join(row["tags"])),
)


def list_competitions(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Competitions that you may see."""
    with connect() as podium:
        print_rows(podium.competitions(), COMPETITIONS, as_json=as_json, as_csv=as_csv)


def list_files(slug: Slug = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Files of a competition, with their sizes and hashes."""
    with connect() as podium:
        files = podium.files(competition_named(slug))
        print_rows(files, FILES, as_json=as_json, as_csv=as_csv)


def download(
    slug: Slug = None,
    file: Annotated[
        str | None, typer.Option("-f", "--file", help="One file; else all and the sample.")
    ] = None,
    path: Annotated[Path, typer.Option("-p", "--path", help="Folder to write to.")] = Path(),
) -> None:
    """Download the files of a competition and its sample submission."""
    name = competition_named(slug)
    path.mkdir(parents=True, exist_ok=True)
    with connect() as podium:
        names = [file] if file else [entry["name"] for entry in podium.files(name)]
        for entry in names:
            # The name is the server's: only its last part may choose a place on this machine.
            to = path / Path(entry).name
            podium.download_file(name, entry, to)
            print(to)
        if file is None:
            podium.sample_submission(name, path / "sample_submission.csv")
            print(path / "sample_submission.csv")


def leaderboard(
    slug: Slug = None,
    show: Annotated[bool, typer.Option("-s", "--show", help="Print the board.")] = False,
    save: Annotated[bool, typer.Option("-d", "--download", help="Save it as CSV.")] = False,
    path: Annotated[Path, typer.Option("-p", "--path", help="Folder to save to.")] = Path(),
    split: Annotated[str, typer.Option(help="public, or private after the reveal.")] = "public",
    page_size: Annotated[
        int, typer.Option("--page-size", min=1, help="Rows to show at most.")
    ] = 20,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show the leaderboard, or download it."""
    name = competition_named(slug)
    with connect() as podium:
        if save:
            to = path / f"{name}-{split}-leaderboard.csv"
            path.mkdir(parents=True, exist_ok=True)
            podium.leaderboard_csv(name, to, split=split)
            print(to)
        if show or not save:
            rows = islice(podium.leaderboard(name, split=split), page_size)
            print_rows(rows, BOARD, as_json=as_json, as_csv=as_csv)


def limits(slug: Slug = None, as_json: AsJson = False) -> None:
    """How many submissions are left, and when there will be more."""
    name = competition_named(slug)
    with connect() as podium:
        team = podium.team(name)
    keys = ("submissions_left_today", "resets_at", "limited_by")
    facts = {key: team.get(key) for key in keys}
    if as_json:
        print_json(facts)
        return
    print_facts({key.replace("_", " "): value for key, value in facts.items()})
    if facts["submissions_left_today"] == 0:
        complain("No submissions are left for now.")
