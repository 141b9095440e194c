"""`podium team`: entering a competition, and managing one's team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.advice import advised
from podium.cli.completing import slugs
from podium.cli.configuration import competition_named, connect, slug_of
from podium.cli.outcome import complain
from podium.cli.printing import (
    AsJson,
    Columns,
    members,
    print_facts,
    print_json,
    print_outcome,
    print_rows,
)

if TYPE_CHECKING:
    from podium.client import Podium

Competition = Annotated[
    str | None,
    typer.Option(
        "-c",
        "--competition",
        help="The competition's slug, unless configured.",
        callback=slug_of,
        autocompletion=slugs,
    ),
]
AcceptRules = Annotated[
    bool, typer.Option("--accept-rules", help="Accept the rules as they are now.")
]

MERGES: Columns = (
    *members("id", "direction"),
    ("team", lambda row: row["team"]["name"]),
    ("status", lambda row: row["status"]),
    ("since", lambda row: row["created_at"]),
)


def show(competition: Competition = None, as_json: AsJson = False) -> None:
    """Show your team, its members and its invite code."""
    slug = competition_named(competition)
    with connect() as podium:
        team = podium.team(slug)
        _print(team, as_json=as_json)
        if stopped := podium.why_nothing_is_taken(slug, team=team):
            complain(advised(stopped))


def create(
    name: Annotated[str, typer.Argument(help="Name of the team.")],
    competition: Competition = None,
    code: Annotated[
        str | None, typer.Option(help="Class code, where the organizers gave one out.")
    ] = None,
    accept_rules: AcceptRules = False,
    as_json: AsJson = False,
) -> None:
    """Enter a competition with a new team."""
    slug = competition_named(competition)
    with connect() as podium:
        team = podium.create_team(slug, name, accept_rules=accept_rules, code=code)
        _print(team, as_json=as_json)


def request(
    note: Annotated[str, typer.Option(help="What the organizers should know about you.")] = "",
    competition: Competition = None,
    as_json: AsJson = False,
) -> None:
    """Ask to enter a competition whose organizers approve participants, and see the state of your
    request."""
    slug = competition_named(competition)
    with connect() as podium:
        asked = podium.request_to_join(slug, note)
    if as_json:
        print_json(asked)
        return
    print_facts({"competition": slug, "state": asked["state"]})
    if asked["state"] == "pending":
        complain("The organizers have to approve it. The same command tells what became of it.")
    elif asked["state"] == "approved":
        complain("Enter with: podium team create NAME")


def join(
    invite_code: Annotated[
        str, typer.Argument(metavar="CODE", help="Invite code from a member of the team.")
    ],
    competition: Competition = None,
    accept_rules: AcceptRules = False,
    as_json: AsJson = False,
) -> None:
    """Join a team by its invite code."""
    slug = competition_named(competition)
    with connect() as podium:
        _print(podium.join_team(slug, invite_code, accept_rules=accept_rules), as_json=as_json)


def rename(
    name: Annotated[str, typer.Argument(help="The new name.")],
    competition: Competition = None,
    as_json: AsJson = False,
) -> None:
    """Rename your team, until the competition closes."""
    with connect() as podium:
        _print(podium.rename_team(competition_named(competition), name), as_json=as_json)


def leave(competition: Competition = None) -> None:
    """Leave your team, if it has not submitted anything yet."""
    with connect() as podium:
        podium.leave_team(competition_named(competition))
    complain("You left the team.")


def merge(
    team: Annotated[
        str | None, typer.Argument(help="Team to merge with; without it, requests are listed.")
    ] = None,
    accept: Annotated[
        str | None, typer.Option(metavar="ID|TEAM", help="Accept this team's request.")
    ] = None,
    decline: Annotated[
        str | None, typer.Option(metavar="ID|TEAM", help="Decline this team's request.")
    ] = None,
    withdraw: Annotated[
        str | None, typer.Option(metavar="ID|TEAM", help="Cancel your request to this team.")
    ] = None,
    competition: Competition = None,
    as_json: AsJson = False,
) -> None:
    """Merge with another team: ask, see who asked, accept, decline or withdraw."""
    slug = competition_named(competition)
    with connect() as podium:
        acts = (
            (podium.request_merge, team),
            (podium.accept_merge, accept),
            (podium.decline_merge, decline),
            (podium.withdraw_merge, withdraw),
        )
        chosen = [(act, subject) for act, subject in acts if subject is not None]
        if len(chosen) > 1:
            raise typer.BadParameter("One thing at a time.")
        if chosen and team is None:
            direction = "incoming" if withdraw is None else "outgoing"
            chosen = [(act, _request_of(podium, slug, named, direction)) for act, named in chosen]
        rows = [act(slug, subject) for act, subject in chosen] or list(podium.merge_requests(slug))
    print_rows(rows, MERGES, as_json=as_json, below=("team", "since"))


def _request_of(podium: Podium, slug: str, named: str, direction: str) -> str:
    """Returns the id of the request that a team's name refers to; any other word is an id."""
    for row in podium.merge_requests(slug):
        is_open = (row["status"], row["direction"]) == ("pending", direction)
        if is_open and row["team"]["name"].casefold() == named.casefold():
            return str(row["id"])
    return named


def _print(team: dict[str, Any], *, as_json: bool) -> None:
    facts = {
        "team": team["name"],
        "members": ", ".join(member["name"] for member in team["members"]),
        "invite code": team["invite_code"],
        "submissions left today": team["submissions_left_today"],
    }
    print_outcome(team, facts, as_json=as_json)
