"""`podium users`: accounts, for organizers and the administrator."""

from __future__ import annotations

from typing import Annotated

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.outcome import complain
from podium.cli.printing import AsCsv, AsJson, Columns, print_json, print_rows

USERS: Columns = (
    ("id", lambda row: row["id"]),
    ("name", lambda row: row["name"]),
    ("organizer", lambda row: "yes" if row["organizer"] else ""),
    ("disabled", lambda row: "yes" if row["disabled"] else ""),
)


def add(
    name: Annotated[str, typer.Argument(help="Name of the person.")],
    organizer: Annotated[
        bool, typer.Option("--organizer", help="The account may create competitions.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create an account, and print its token, which is shown only once."""
    with connect_as_organizer() as podium:
        made = podium.create_user(name, organizer=organizer)
    if as_json:
        print_json(made)
        return
    print(made["token"])
    complain(f"The token of {made['name']}, for `podium login`.")


def list_users(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List all accounts."""
    with connect_as_organizer() as podium:
        print_rows(podium.users(), USERS, as_json=as_json, as_csv=as_csv)
