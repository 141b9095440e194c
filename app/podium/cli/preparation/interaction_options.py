"""Options of `podium prepare` and `podium stats` about a file of interactions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer
from typer.models import OptionInfo

from podium.cli.preparation.making import KeyFile
from podium.cli.printing import Timeout
from podium.cli.written import Force
from podium.errors import NotConfigured
from podium.preparation.options import (
    NONE,
    ColumnChoice,
    Duplicates,
    Format,
    Options,
    Pick,
    Protocol,
    TimeUnit,
)

if TYPE_CHECKING:
    from podium.otto.jsonl import Scope


def _no_folders(given: Path | list[Path]) -> Path | list[Path]:
    """Returns the value unchanged. A folder ends the command, which suggests a file in it if it is
    a data set of BEIR."""
    for each in filter(Path.is_dir, [given] if isinstance(given, Path) else given):
        hint = f"{each} is a folder: give the file of its interactions."
        if found := sorted((each / "qrels").glob("*.tsv")):
            hint = f"{each} is a data set of BEIR, whose judgments are its qrels: give {found[-1]}."
        raise typer.BadParameter(hint)
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


@dataclass(frozen=True)
class PlaceOptions:
    """The folder that files are written to, or the draft for which a server prepares them."""

    to: Annotated[
        Path | None, typer.Option("--to", file_okay=False, help="The folder to write to.")
    ] = None
    upload: Annotated[
        str | None,
        typer.Option(
            metavar="COMPETITION",
            help="Instead of --to: the server prepares the file for this draft, by its own secret.",
        ),
    ] = None
    launch: Annotated[
        bool, typer.Option("--launch", help="With --upload: run the launch checklist, and open it.")
    ] = False
    timeout: Timeout = None


def _column(name: str, of: str, more: str = "") -> OptionInfo:
    text = f"Column of the {of}: its name or, from 1, its position{more}."
    made: OptionInfo = typer.Option(name, metavar="COLUMN", help=text)
    return made


_OR_NONE = "; - for none"


@dataclass(frozen=True)
class ReadingOptions:
    """The columns of a file of interactions, and their format."""

    panel: ClassVar = "Columns"

    user: Annotated[str, _column("--user", "users", ", as userId")] = ""
    item: Annotated[str, _column("--item", "items", ", as movieId")] = ""
    rating: Annotated[str, _column("--rating", "ratings", _OR_NONE)] = ""
    timestamp: Annotated[str, _column("--time", "times", _OR_NONE)] = ""
    type: Annotated[str, _column("--type", "types, such as view and order", _OR_NONE)] = NONE
    separator: Annotated[
        str | None, typer.Option(help="Between fields; else the first line tells.")
    ] = None
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="The first line names the columns; else told by whether it has numbers.",
        ),
    ] = None
    time_unit: Annotated[
        TimeUnit,
        typer.Option(
            help="Times in seconds or finer units since 1970, or as dates; else told by their size."
        ),
    ] = "auto"

    @property
    def source(self) -> ColumnChoice:
        """Returns the columns. Raises `NotConfigured`."""
        separator = {"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator)
        if separator not in (None, "::") and len(separator.encode()) != 1:
            raise NotConfigured("--separator is one character, tab, or ::.")
        return ColumnChoice(**asdict(self) | {"separator": separator})


@dataclass(frozen=True)
class KeepingOptions:
    """The interactions that are kept."""

    panel: ClassVar = "What is kept"

    threshold: Annotated[
        float | None, typer.Option(help="Drop interactions rated lower, as 4.")
    ] = None
    relevance: Annotated[
        bool, typer.Option("--relevance", help="Labels keep the rating as their relevance.")
    ] = False
    duplicates: Annotated[
        Duplicates,
        typer.Option(
            help="Of a user's interactions with the same item: keep the last or first, the best"
            " rated, or one with the sum of ratings (without ratings, their count)."
        ),
    ] = "last"
    min_user: Annotated[
        int,
        typer.Option(
            min=1, help="Drop users with fewer interactions, and again until none is left (k-core)."
        ),
    ] = 1
    min_item: Annotated[int, typer.Option(min=1, help="The same for items.")] = 1


@dataclass(frozen=True)
class HidingOptions:
    """The interactions that are hidden."""

    panel: ClassVar = "What is hidden"

    protocol: Annotated[
        Protocol,
        typer.Option(
            help="Hide one interaction of each user, --count, or a --share of them; all after a"
            " moment; or each interaction in one of --folds."
        ),
    ] = "leave-one-out"
    pick: Annotated[Pick, typer.Option(help="Which interactions of a user are hidden.")] = "last"
    count: Annotated[int, typer.Option("--count", "-k", min=1, help="With leave-k-out.")] = 1
    share: Annotated[
        float,
        typer.Option(
            help="Of each user's interactions, rounded down, but one at least; with time, the"
            " latest share of all."
        ),
    ] = 0.2
    days: Annotated[
        float | None, typer.Option(help="With time: hide the last days. With otto: else 7.")
    ] = None
    at: Annotated[
        str | None,
        typer.Option(
            help="With time: hide all from this moment on, a date or a number as in the file."
        ),
    ] = None
    folds: Annotated[int, typer.Option(help="With k-fold: how many.")] = 5
    min_train: Annotated[
        int,
        typer.Option(
            min=1, help="Nothing is hidden of users who would keep fewer interactions than this."
        ),
    ] = 1
    test_users: Annotated[
        int | None, typer.Option(min=1, help="Hide interactions of this many users only.")
    ] = None
    cold_items: Annotated[
        Literal["keep", "drop"], typer.Option(help="Labels of items that the training set lacks.")
    ] = "keep"
    objectives: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            metavar="TYPE=SCOPE",
            help="A type to be predicted, as view=next (the next one) or order=all (all later"
            " ones); repeat it. Else all types, all later ones. Without types: next or all.",
        ),
    ] = None


@dataclass(frozen=True)
class RuleOptions:
    """All options that define the files prepared from interactions."""

    reading: ReadingOptions
    keeping: KeepingOptions
    hiding: HidingOptions
    written: Annotated[Format, typer.Option("--format", help="The form of the training set.")] = (
        "parquet"
    )

    @property
    def options(self) -> Options:
        """Returns the options of the preparation. Raises `NotConfigured`, and `InvalidInput` if
        they do not fit together."""
        members = asdict(self.keeping) | asdict(self.hiding)
        members["objectives"] = objectives_told(self.hiding.objectives)
        return Options(**members, source=self.reading.source, format=self.written)


@dataclass(frozen=True)
class HomeOptions:
    """Options that only apply if the files are written here."""

    seed: Annotated[
        int | None, typer.Option(help="For experiments: draw by a seed instead of a secret.")
    ] = None
    key_file: KeyFile = None
    force: Force = False


def objectives_told(given: list[str] | None) -> dict[str, Scope]:
    """Returns types and their scopes from the options. Raises `NotConfigured`."""
    found: dict[str, Scope] = {}
    for each in given or ():
        name, _, scope = each.rpartition("=")
        if scope not in ("next", "all") or name in found:
            raise NotConfigured(f"--objective {each}: write TYPE=next or TYPE=all, each type once.")
        found[name] = "next" if scope == "next" else "all"
    return found
