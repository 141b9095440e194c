"""Options of the commands of `podium otto` about raw sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from podium.errors import NotConfigured
from podium.otto.clickstreams import Columns, columns_in
from podium.otto.shape import MOST_TYPES, TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

Raw = Annotated[
    list[Path],
    typer.Argument(
        exists=True,
        dir_okay=False,
        help="Raw sessions as JSON lines, plain, gzip or zstd; or CSV or Parquet with --columns.",
    ),
]
To = Annotated[Path, typer.Option("--to", file_okay=False, help="The folder to write to.")]
Container = Annotated[
    Literal["plain", "gz", "zst"], typer.Option(help="How the sessions are packed.")
]
ColumnNames = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help="The files are clickstreams, one event a row: the names of the columns of user, item,"
        " time and, if there is one, type, such as user,item,timestamp,type. Without types all"
        " events are clicks.",
    ),
]
Unit = Annotated[
    Literal["ms", "s", "iso"],
    typer.Option(help="With --columns: times in milliseconds or seconds since 1970, or as dates."),
]
Types = Annotated[
    str | None,
    typer.Option(
        help="The types of events in JSON lines, which become the objectives, as view,buy; else"
        " clicks,carts,orders."
    ),
]
PreparedTypes = Annotated[
    str | None,
    typer.Option(
        "--types",
        help="The types of events in JSON lines, which become the objectives, as view,buy; else"
        " those of the report or the sample submission in the same folder, the only one that the"
        " sessions have, or clicks,carts,orders.",
    ),
]
Ids = Annotated[
    Literal["number", "text"],
    typer.Option(help="With --columns: what users and items are. Texts are given numbers."),
]


TABLES = (".csv", ".csv.gz", ".csv.zst", ".parquet")


def columns_of(
    raw: Sequence[Path], names: str | None, unit: str, ids: str, types: str | None
) -> Columns | None:
    """The columns of clickstreams by the options; None for JSON lines, of which `types` are named.
    Raises `NotConfigured`, also for tables whose columns are not named."""
    if names is None:
        if (unit, ids) != ("ms", "number"):
            raise NotConfigured("--time-unit and --ids go with --columns.")
        if types is None and (
            tables := [file for file in raw if file.name.lower().endswith(TABLES)]
        ):
            raise NotConfigured(
                f"{tables[0]} is a table: name its columns of user, item, time and, if there is"
                " one, type, such as --columns user,item,timestamp,type."
            )
        return None
    if (named := columns_in(names)) is None:
        raise NotConfigured("--columns names three or four columns: user,item,timestamp[,type].")
    return Columns(*named, unit, text_ids=ids == "text")


def types_named(given: str | None, *, prepared: Sequence[Path] = ()) -> tuple[str, ...]:
    """The types of events that an option names; without it those of prepared sessions, if these
    are, or OTTO's. Raises `NotConfigured`."""
    from podium.otto.preparation import TYPE_NAME, held_types

    if given is None:
        return held_types(prepared) if prepared else TYPES
    names = tuple(name.strip() for name in given.split(","))
    if len(set(names)) < len(names) or not all(map(TYPE_NAME.fullmatch, names)):
        raise NotConfigured("--types names the types of events with commas between, as view,buy.")
    if len(names) > MOST_TYPES:
        raise NotConfigured(f"--types names at most {MOST_TYPES} types.")
    return names
