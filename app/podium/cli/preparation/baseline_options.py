"""Options of `podium baseline`: its files, and the hyperparameters of each recommender."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from podium.baselines.registry import SESSIONS, USERS_ITEMS, Hyperparameters
from podium.cli.completing import metrics
from podium.cli.parameters.files import file_option
from podium.cli.printing import Timeout
from podium.preparation.described import DescribedOption, described_options

if TYPE_CHECKING:
    BaselineName = str
else:
    BaselineName = Literal[*SESSIONS, *USERS_ITEMS]

Name = Annotated[BaselineName, typer.Argument(help="Which one.")]

KeepSeen = Annotated[
    bool,
    typer.Option(
        "--keep-seen",
        help="Also recommend items that a user has in the training set (not sessions).",
    ),
]


@dataclass(frozen=True)
class FileOptions:
    """The files that a baseline learns from, and those it answers."""

    train: Annotated[
        Path | None,
        file_option(
            "What to learn from. With --test JSON lines, plain, gzip or zstd; with --published"
            " a table with one interaction a row, CSV (plain, gzip or zstd) or Parquet."
        ),
    ] = None
    test: Annotated[
        Path | None, file_option("Sessions to answer: JSON lines, plain, gzip or zstd.")
    ] = None
    data: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            file_okay=False,
            help="A folder made by `podium prepare`. It says all that the files below would.",
        ),
    ] = None
    published: Annotated[
        Path | None,
        file_option(
            "Users to answer: a sample submission, or a table whose first column are users."
        ),
    ] = None


@dataclass(frozen=True)
class RoleOptions:
    """The columns of a table of interactions."""

    user: Annotated[
        str | None,
        typer.Option(help="With --published: the column of users in --train; else user."),
    ] = None
    item: Annotated[str | None, typer.Option(help="The column of items; else item.")] = None
    rating: Annotated[
        str | None,
        typer.Option(help="The column that says how much an interaction counts; else all count 1."),
    ] = None
    timestamp: Annotated[
        str | None, typer.Option(help="The column of times, which recent needs.")
    ] = None
    type: Annotated[
        str | None,
        typer.Option(
            "--type",
            help="The column of types: each of --types, or each there is, is an objective.",
        ),
    ] = None


def _setting(option: DescribedOption) -> tuple[str, Any, Any]:
    """Declares the option of a hyperparameter as a field of a group. The help names the defaults,
    which apply without it."""
    names: dict[float, list[str]] = {}
    for each in USERS_ITEMS.values():
        if option.field in each.own:
            names.setdefault(each.default_of(option.field), []).append(each.name)
    usual = "; ".join(
        ", ".join(those) + (f": else {value:,}" if value else "") for value, those in names.items()
    )
    about = replace(option.about, meaning=f"{option.about.meaning} ({usual}).")
    if option.type is bool:
        return option.field, Annotated[bool, about], False
    return option.field, Annotated[option.type | None, about], None


if TYPE_CHECKING:
    LearningOptions = object
else:
    LearningOptions = make_dataclass(
        "LearningOptions", map(_setting, described_options(Hyperparameters)), frozen=True
    )


@dataclass(frozen=True)
class EvaluationOptions:
    """Scores on the training set, beside those on the ground truth."""

    evaluate_train: Annotated[
        bool,
        typer.Option(
            "--evaluate-train",
            help="Print scores on the training set beside those on the ground truth. Training"
            " scores are those of lists with seen items, against all that each user has in the"
            " training set.",
        ),
    ] = False
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            autocompletion=metrics,
            help="With --evaluate-train: what is computed, as by `podium score`; else ndcg@10 and"
            " map@10. May be repeated.",
        ),
    ] = None
    labels: Annotated[
        Path | None, file_option("With --evaluate-train: the ground truth, if it is not in --data.")
    ] = None


@dataclass(frozen=True)
class BoardOptions:
    """The board that a baseline is put on."""

    submit: Annotated[
        str | None,
        typer.Option(
            "--submit",
            metavar="SLUG",
            help="Organizers only: put it on the board of this competition, tagged as a baseline"
            " and without a rank.",
        ),
    ] = None
    team: Annotated[
        str | None, typer.Option(help="With --submit: the name of the row; else the baseline's.")
    ] = None
    timeout: Timeout = None
