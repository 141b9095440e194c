"""Options of `podium prepare` and `podium stats` about a file of interactions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from podium.cli.preparation.making import KeyFile
from podium.cli.printing import Timeout
from podium.cli.written import Force
from podium.preparation.options import (
    ColumnChoice,
    CutOptions,
    HidingRules,
    KeepingRules,
    Options,
    TrainingFormat,
    scopes_named,
)


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
    typer.Option(
        help="otto: as `podium otto prepare`, which has options of its own; --days are"
        f" {CutOptions.days} then."
    ),
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


@dataclass(frozen=True)
class RuleOptions:
    """All options that define the files prepared from interactions."""

    reading: ColumnChoice
    keeping: KeepingRules
    hiding: HidingRules
    objectives: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            metavar="TYPE=SCOPE",
            rich_help_panel=HidingRules.panel,
            help="A type to be predicted, as view=next (the next one) or order=all (all later"
            " ones); repeat it. Else all types, all later ones. Without types: next or all.",
        ),
    ] = None
    format: TrainingFormat = Options.format

    @property
    def options(self) -> Options:
        """Returns the options of the preparation. Raises `InvalidInput` if they do not fit
        together."""
        return Options(
            **vars(self.keeping),
            **vars(self.hiding),
            source=self.reading,
            objectives=scopes_named(self.objectives or ()),
            format=self.format,
        )


@dataclass(frozen=True)
class HomeOptions:
    """Options that only apply if the files are written here."""

    seed: Annotated[
        int | None, typer.Option(help="For experiments: draw by a seed instead of a secret.")
    ] = None
    key_file: KeyFile = None
    force: Force = False
