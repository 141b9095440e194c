"""`podium leaderboard` and `limits`: read a participant's position, without changing anything."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from podium.cli.advice import advised
from podium.cli.completing import ConfiguredSlug
from podium.cli.configuration import competition_named, connect
from podium.cli.legible import say
from podium.cli.outcome import Exit, complain
from podium.cli.printing import (
    AsCsv,
    AsJson,
    Columns,
    members,
    print_outcome,
    print_rows,
    with_decimals,
)
from podium.cli.written import Force, fetched
from podium.client.durations import in_words, seconds_until
from podium.client.submissions import nothing_left
from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.client import Podium

BOARD: Columns = (
    ("rank", lambda row: row["rank"]),
    ("team", lambda row: row["team"]["name"]),
    *members("score", "submissions"),
    ("last", lambda row: row["last_submitted_at"]),
    ("tags", lambda row: " ".join(row["tags"])),
)

FINAL_BOARD: Columns = (
    *BOARD,
    ("95 % interval", lambda row: " to ".join(row["interval"])),
    ("tied with #1", lambda row: "yes" if row["tied_with_first"] and row["rank"] != 1 else ""),
)

BELOW = ("submissions", "last", "tags")

PAGE_ROWS = 20
"""The default number of rows of a board's table."""

NEIGHBORS = 3
"""The number of rows shown above and below one's own."""


def leaderboard(
    slug: ConfiguredSlug = None,
    show: Annotated[bool, typer.Option("-s", "--show", help="Print the board.")] = False,
    save: Annotated[bool, typer.Option("-d", "--download", help="Save it as CSV.")] = False,
    path: Annotated[Path, typer.Option("-p", "--path", help="Folder to save to.")] = Path(),
    split: Annotated[
        Literal["public", "private"] | None,
        typer.Option(help="public, or private, which is the default after the reveal."),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", help="The board at an earlier time, such as 2026-11-20T12:00:00Z."),
    ] = None,
    me: Annotated[bool, typer.Option("--me", help="Only your team and its neighbors.")] = False,
    page: Annotated[int | None, typer.Option("--page", min=1, help="Page of the board.")] = None,
    page_size: Annotated[
        int | None,
        typer.Option(
            "--page-size",
            min=1,
            help=f"Rows per page ({PAGE_ROWS} in a table; JSON and CSV have all).",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show all rows.")] = False,
    force: Force = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Show the leaderboard, or download it.

    A table has 20 rows unless you ask for more; --json and --csv print the whole board unless you
    ask for a page of it.
    """
    if every and (page or page_size):
        raise NotConfigured("Give either --all, or --page and --page-size.")
    name = competition_named(slug)
    with connect() as podium:
        split = split or _board_that_counts(podium, name, as_of)
        if save:
            to = path / f"{name}-{split}-leaderboard.csv"
            path.mkdir(parents=True, exist_ok=True)
            with fetched(to, force=force) as fresh:
                podium.leaderboard_csv(name, fresh, split=split)
            say(str(to))
        if show or not save:
            is_final = split == "private"
            rows = podium.leaderboard(name, split=split, as_of=as_of)
            if me:
                found = _around(rows, podium.team(name)["id"])
            elif every or not (page or page_size or not (as_json or as_csv)):
                found = list(rows)
            else:
                size = page_size or PAGE_ROWS
                first = ((page or 1) - 1) * size
                found = list(islice(rows, first, first + size))
            if not as_json:
                decimals = podium.competition(name)["decimals"]
                found = [_with_decimals(row, decimals) for row in found]
            columns = _columns(found, is_final=is_final, with_you=me)
            print_rows(found, columns, as_json=as_json, as_csv=as_csv, below=BELOW)
            if is_final and not (as_json or as_csv):
                complain("This is the final ranking; --split public shows the public board.")
            if not (every or me or as_json or as_csv):
                total = podium.leaderboard_size(name, split=split, as_of=as_of)
                if len(found) < total:
                    complain(f"{len(found):,} of {total:,} rows; --all shows every one.")


def _board_that_counts(
    podium: Podium, slug: str, as_of: str | None
) -> Literal["public", "private"]:
    """Returns the board to show by default: the final ranking once it is published, but not for an
    earlier time, which it does not have."""
    is_final = as_of is None and podium.competition(slug)["phase"] == "revealed"
    return "private" if is_final else "public"


def _columns(rows: list[dict[str, Any]], *, is_final: bool, with_you: bool) -> Columns:
    """Returns the columns of a board; those of diagnostics are named by its rows."""
    beside = rows[0].get("diagnostics", {}) if rows else {}
    return (
        *(FINAL_BOARD if is_final else BOARD),
        *((metric, partial(_diagnostic, metric)) for metric in beside),
        *([("you", lambda row: "yes" if row["you"] else "")] if with_you else []),
    )


def _diagnostic(metric: str, row: dict[str, Any]) -> Any:  # noqa: ANN401 - a cell of a table
    return row["diagnostics"][metric]


def _with_decimals(row: dict[str, Any], decimals: int) -> dict[str, Any]:
    ends = [f"{end:.{decimals}f}" for end in row.get("interval") or ()]
    beside = row.get("diagnostics", {})
    digits = {**beside, **with_decimals(beside, decimals, *beside)}
    return {**with_decimals(row, decimals, "score"), "interval": ends, "diagnostics": digits}


def limits(slug: ConfiguredSlug = None, as_json: AsJson = False) -> None:
    """Show how many submissions you have left today, and when the limit resets.

    Exit code 6: none are possible any more, for example because the competition is over.
    """
    name = competition_named(slug)
    with connect() as podium:
        team = podium.team(name)
        stopped = podium.why_nothing_is_taken(name, team=team)
    keys = ("submissions_left_today", "resets_at", "limited_by")
    facts = {key: team.get(key) for key in keys}
    if stopped is not None:
        # A new day brings no new submissions.
        facts["resets_at"] = None
    elif facts["submissions_left_today"] == 0:
        complain(nothing_left(team).detail)
    document = facts | ({"reason": stopped.detail} if stopped is not None else {})
    resets_at = facts["resets_at"]
    shown = {"submissions left today": facts["submissions_left_today"]}
    if resets_at:
        shown["resets at"] = f"{resets_at} (in {in_words(seconds_until(resets_at))})"
    if facts["limited_by"] not in (None, "phase"):
        shown["limited by"] = str(facts["limited_by"]).replace("_", " ")
    print_outcome(document, shown, as_json=as_json)
    if stopped is not None:
        complain(advised(stopped))
        raise typer.Exit(Exit.LIMIT)


def _around(rows: Iterable[dict[str, Any]], team_id: str) -> list[dict[str, Any]]:
    """Returns the rows around a team's own, in order, each with `you`; none if the team has no row
    yet."""
    board = [{**row, "you": row["team"]["id"] == team_id} for row in rows]
    own = next((place for place, row in enumerate(board) if row["you"]), None)
    if own is None:
        complain("Your team is not on this board yet.")
        return []
    return board[max(0, own - NEIGHBORS) : own + NEIGHBORS + 1]
