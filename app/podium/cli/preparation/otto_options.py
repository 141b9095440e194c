"""Options of the commands of `podium otto` about raw sessions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium.cli.parameters.files import file_argument
from podium.cli.printing import AsJson
from podium.cli.written import Force
from podium.errors import NotConfigured
from podium.otto.shape import MAX_TYPES, TYPES
from podium.preparation.clickstreams import TYPE_NAME, Columns, StreamOptions
from podium.preparation.files.text import Container
from podium.preparation.options import CutOptions
from podium.preparation.sessions import held_types

if TYPE_CHECKING:
    from collections.abc import Sequence

Raw = Annotated[
    list[Path],
    file_argument(
        "Raw sessions as JSON lines, plain, gzip or zstd; or CSV or Parquet with --columns."
    ),
]
To = Annotated[Path, typer.Option("--to", file_okay=False, help="The folder to write to.")]
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

TABLES = (".csv", ".csv.gz", ".csv.zst", ".parquet")


def stream_of(options: StreamOptions, raw: Sequence[Path], types: str | None) -> Columns | None:
    """Returns the columns of clickstreams; None for JSON lines, whose `types` are given. Raises
    `NotConfigured` for tables whose columns are not named, and `InvalidInput`."""
    if options.columns is not None:
        return options.named
    if options != StreamOptions():
        raise NotConfigured("--time-unit and --ids go with --columns.")
    tables = [file for file in raw if file.name.lower().endswith(TABLES)]
    if types is None and tables:
        raise NotConfigured(
            f"{tables[0]} is a table: name its columns of user, item, time and, if there is one,"
            " type, such as --columns user,item,timestamp,type."
        )
    return None


@dataclass(frozen=True)
class SessionOptions:
    """The form of the written sessions."""

    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            metavar="TYPE=SCOPE",
            help="The labels of a type: its next event, as view=next, or all later ones, as"
            " order=all; repeat it. Else the next one of clicks, and all of others.",
        ),
    ] = None
    container: Annotated[Container, typer.Option(help="How the sessions are packed.")] = (
        CutOptions.container
    )
    force: Force = False
    as_json: AsJson = False


def types_named(given: str | None, *, prepared: Sequence[Path] = ()) -> tuple[str, ...]:
    """Returns the types of events that an option names; without it those of prepared sessions, if
    the files are such, or OTTO's. Raises `NotConfigured`."""
    if given is None:
        return held_types(prepared) if prepared else TYPES
    names = tuple(name.strip() for name in given.split(","))
    if len(set(names)) < len(names) or not all(map(TYPE_NAME.fullmatch, names)):
        raise NotConfigured("--types names the types of events with commas between, as view,buy.")
    if len(names) > MAX_TYPES:
        raise NotConfigured(f"--types names at most {MAX_TYPES} types.")
    return names
