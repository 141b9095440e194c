"""`podium teams`: all teams of a competition, with the bits that the board has revealed to them."""

from __future__ import annotations

from podium.cli.configuration import connect_as_organizer
from podium.cli.organizer.acting import Slug
from podium.cli.printing import AsCsv, AsJson, Columns, print_rows

TEAMS: Columns = (
    ("team", lambda row: row["name"]),
    ("members", lambda row: ", ".join(member["name"] for member in row["members"])),
    ("tags", lambda row: " ".join(row["tags"])),
    ("submissions", lambda row: row["submissions"]),
    ("bits revealed", lambda row: row["told_bits"]),
    ("public rows", lambda row: row["public_rows"]),
)


def teams(slug: Slug, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List all teams, with the bits of the public split that their scores may have revealed to
    them."""
    with connect_as_organizer() as podium:
        print_rows(podium.teams(slug), TEAMS, as_json=as_json, as_csv=as_csv)
