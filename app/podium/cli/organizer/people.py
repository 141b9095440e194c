"""`podium users`: accounts, one or a whole roster, for organizers and the administrator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from podium.cli.configuration import connect_as_organizer
from podium.cli.outcome import Exit, complain, problem_lines
from podium.cli.printing import AsCsv, AsJson, Columns, members, print_json, print_rows
from podium.errors import InvalidInput
from podium.errors.reasons import SAVE_AS_UTF8

USERS: Columns = (
    *members("id", "name"),
    ("organizer", lambda row: "yes" if row["organizer"] else ""),
    ("disabled", lambda row: "yes" if row["disabled"] else ""),
)

ROSTER: Columns = (
    *members("name", "team"),
    ("account", lambda row: "new" if row["is_new"] else "exists"),
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
        account = podium.create_user(name, organizer=organizer)
    if as_json:
        print_json(account)
        return
    print(account["token"])
    complain(f"The token of {account['name']}, for `podium login`.")


def roster(
    file: Annotated[
        Path, typer.Argument(help="CSV or TSV: a name and perhaps a team a line.", dir_okay=False)
    ],
    competition: Annotated[
        str | None,
        typer.Option(
            "-c", "--competition", help="Where they take part; else accounts are made only."
        ),
    ] = None,
    use_existing: Annotated[
        bool, typer.Option("--use-existing", help="Use accounts and teams that already exist.")
    ] = False,
    create: Annotated[
        bool, typer.Option("--create", help="Make them; without it, only look.")
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Create accounts, teams and links from a list of people, all at once or not at all.

    Without --create, print what would be created. Problems are reported on standard error, by line,
    with exit code 3. The links are shown only this once.
    """
    text = _text_of(file)
    wanted: dict[str, Any] = {"competition": competition, "uses_existing": use_existing}
    with connect_as_organizer() as podium:
        found = podium.preview_roster(text, **wanted)
        if found["problems"]:
            for line in problem_lines(str(file), found["problems"]):
                complain(line)
            raise typer.Exit(Exit.REJECTED)
        if create:
            found = podium.enter_roster(text, **wanted)
        url = podium.connection.url
    if as_json:
        print_json(found)
        return
    columns = [*ROSTER, ("link", lambda row: _full(url, row["address"]))] if create else ROSTER
    print_rows(found["people"], columns, as_json=False, as_csv=as_csv, below=("link",))
    if not create:
        complain("Nothing was made yet. The same command with --create makes it.")


def _full(url: str, address: str | None) -> str | None:
    """Returns the full address of a link; a server that knows its own name sends it in full."""
    return f"{url}{address}" if address and address.startswith("/") else address


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"{file} is not UTF-8. {SAVE_AS_UTF8}") from None
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from None


def list_users(as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """List all accounts."""
    with connect_as_organizer() as podium:
        rows = podium.users()
        print_rows(rows, USERS, as_json=as_json, as_csv=as_csv, below=("name",))
