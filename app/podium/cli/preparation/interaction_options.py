"""Options of `podium prepare` and `podium stats` about a file of interactions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.models import OptionInfo

from podium.errors import NotConfigured
from podium.preparation.options import ColumnChoice, Options

if TYPE_CHECKING:
    from podium.otto.jsonl import Scope

READING, KEEPING, HIDING = "Columns", "What is kept", "What is hidden"


def _no_folders(given: Path | list[Path]) -> Path | list[Path]:
    """The same. A folder ends the command, which names what it holds if BEIR made it."""
    for each in filter(Path.is_dir, [given] if isinstance(given, Path) else given):
        told = f"{each} is a folder: give the file of its interactions."
        if found := sorted((each / "qrels").glob("*.tsv")):
            told = f"{each} is a data set of BEIR, whose judgments are its qrels: give {found[-1]}."
        raise typer.BadParameter(told)
    return given


File = Annotated[
    Path,
    typer.Argument(
        exists=True,
        callback=_no_folders,
        help="Interactions: CSV, tabs, MovieLens' ::, JSON lines or Parquet; plain, gzip or zstd.",
    ),
]
Files = Annotated[
    list[Path],
    typer.Argument(
        exists=True,
        callback=_no_folders,
        help="Interactions, one a row: CSV, tabs, MovieLens' ::, JSON lines or Parquet; plain, gzip"
        " or zstd. With --recipe otto: raw sessions, of which several files may be given.",
    ),
]
Recipe = Annotated[
    Literal["interactions", "otto"],
    typer.Option(help="otto: as `podium otto prepare`, which has options of its own."),
]


To = Annotated[Path | None, typer.Option("--to", file_okay=False, help="The folder to write to.")]
Upload = Annotated[
    str | None,
    typer.Option(
        "--upload",
        metavar="COMPETITION",
        help="Instead of --to: the server prepares the file for this draft, by its own secret.",
    ),
]
Launch = Annotated[
    bool,
    typer.Option("--launch", help="With --upload: run the launch checklist, and open it."),
]


def _column(name: str, of: str, more: str = "") -> OptionInfo:
    text = f"Column of the {of}: its name or, from 1, its position{more}."
    made: OptionInfo = typer.Option(name, metavar="COLUMN", rich_help_panel=READING, help=text)
    return made


_OR_NONE = "; - for none"

User = Annotated[str, _column("--user", "users", ", as userId")]
Item = Annotated[str, _column("--item", "items", ", as movieId")]
Rating = Annotated[str, _column("--rating", "ratings", _OR_NONE)]
Time = Annotated[str, _column("--time", "times", _OR_NONE)]
Type = Annotated[str, _column("--type", "types, such as view and order", _OR_NONE)]
Separator = Annotated[
    str | None,
    typer.Option(rich_help_panel=READING, help="Between fields; else the first line tells."),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        rich_help_panel=READING,
        help="The first line names the columns; else told by whether it has numbers.",
    ),
]
TimeUnit = Annotated[
    Literal["auto", "s", "ms", "us", "ns", "iso"],
    typer.Option(
        rich_help_panel=READING,
        help="Times in seconds or finer units since 1970, or as dates; else told by their size.",
    ),
]
Threshold = Annotated[
    float | None,
    typer.Option(rich_help_panel=KEEPING, help="Drop interactions rated lower, as 4."),
]
Relevance = Annotated[
    bool,
    typer.Option(
        "--relevance", rich_help_panel=KEEPING, help="Labels keep the rating as their relevance."
    ),
]
Duplicates = Annotated[
    Literal["last", "first", "max", "sum", "refuse"],
    typer.Option(
        rich_help_panel=KEEPING,
        help="Of a user's interactions with the same item: keep the last or first, the best rated,"
        " or one with the sum of ratings (without ratings, their count).",
    ),
]
MinUser = Annotated[
    int,
    typer.Option(
        min=1,
        rich_help_panel=KEEPING,
        help="Drop users with fewer interactions, and again until none is left (k-core).",
    ),
]
MinItem = Annotated[int, typer.Option(min=1, rich_help_panel=KEEPING, help="The same for items.")]
Protocol = Annotated[
    Literal["leave-one-out", "leave-k-out", "share", "time", "k-fold"],
    typer.Option(
        rich_help_panel=HIDING,
        help="Hide one interaction of each user, --count, or a --share of them; all after a moment;"
        " or each interaction in one of --folds.",
    ),
]
Pick = Annotated[
    Literal["last", "random"],
    typer.Option(rich_help_panel=HIDING, help="Which interactions of a user are hidden."),
]
Count = Annotated[
    int,
    typer.Option("--count", "-k", min=1, rich_help_panel=HIDING, help="With leave-k-out."),
]
Share = Annotated[
    float,
    typer.Option(
        rich_help_panel=HIDING,
        help="Of each user's interactions, rounded down, but one at least; with time, the latest"
        " share of all.",
    ),
]
Days = Annotated[
    float | None,
    typer.Option(rich_help_panel=HIDING, help="With time: hide the last days. With otto: else 7."),
]
At = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=HIDING,
        help="With time: hide all from this moment on, a date or a number as in the file.",
    ),
]
Folds = Annotated[int, typer.Option(rich_help_panel=HIDING, help="With k-fold: how many.")]
MinTrain = Annotated[
    int,
    typer.Option(
        min=1,
        rich_help_panel=HIDING,
        help="Nothing is hidden of users who would keep fewer interactions than this.",
    ),
]
TestUsers = Annotated[
    int | None,
    typer.Option(min=1, rich_help_panel=HIDING, help="Hide interactions of this many users only."),
]
ColdItems = Annotated[
    Literal["keep", "drop"],
    typer.Option(rich_help_panel=HIDING, help="Labels of items that the training set lacks."),
]
Objectives = Annotated[
    list[str] | None,
    typer.Option(
        "--objective",
        metavar="TYPE=SCOPE",
        rich_help_panel=HIDING,
        help="A type to be predicted, as view=next (the next one) or order=all (all later ones);"
        " repeat it. Else all types, all later ones. Without types: next or all.",
    ),
]
Scopes = Annotated[
    list[str] | None,
    typer.Option(
        "--objective",
        metavar="TYPE=SCOPE",
        help="The labels of a type: its next event, as view=next, or all later ones, as order=all;"
        " repeat it. Else the next one of clicks, and all of others.",
    ),
]
Written = Annotated[
    Literal["parquet", "csv"], typer.Option("--format", help="The form of the training set.")
]


def source_of(params: Mapping[str, Any]) -> ColumnChoice:
    """The columns by a command's options. Raises `NotConfigured`."""
    told = params["separator"]
    separator = {"tab": "\t", "\\t": "\t"}.get(told, told)
    if separator not in (None, "::") and len(separator.encode()) != 1:
        raise NotConfigured("--separator is one character, tab, or ::.")
    named = {name: params[name] for name in ("user", "item", "rating", "header", "time_unit")}
    return ColumnChoice(
        **named, timestamp=params["time"], type=params["type_"], separator=separator
    )


def options_of(params: Mapping[str, Any]) -> Options:
    """The preparation by a command's options. Raises `NotConfigured`, and `InvalidInput` for what
    does not fit together."""
    own = {"source", "objectives", "format"}
    named = {each.name: params[each.name] for each in fields(Options) if each.name not in own}
    objectives = objectives_told(params["objective"])
    return Options(
        **named, source=source_of(params), objectives=objectives, format=params["written"]
    )


def objectives_told(given: list[str] | None) -> dict[str, Scope]:
    """Types and their scopes by the options. Raises `NotConfigured`."""
    found: dict[str, Scope] = {}
    for told in given or ():
        name, _, scope = told.rpartition("=")
        if scope not in ("next", "all") or name in found:
            raise NotConfigured(f"--objective {told}: write TYPE=next or TYPE=all, each type once.")
        found[name] = "next" if scope == "next" else "all"
    return found
