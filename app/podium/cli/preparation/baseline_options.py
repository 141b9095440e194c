"""Options of `podium baseline`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from podium.cli.completing import metrics
from podium.cli.printing import Timeout

Name = Annotated[
    Literal[
        "popular",
        "recent",
        "random",
        "covisitation",
        "als",
        "item-knn",
        "user-knn",
        "bpr",
        "ease",
    ],
    typer.Argument(help="Which one."),
]


@dataclass(frozen=True)
class FileOptions:
    """The files that a baseline learns from, and those it answers."""

    train: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="What to learn from. With --test JSON lines, plain, gzip or zstd; with --published"
            " a table with one interaction a row, CSV (plain, gzip or zstd) or Parquet.",
        ),
    ] = None
    test: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="Sessions to answer: JSON lines, plain, gzip or zstd."
        ),
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
        typer.Option(
            exists=True,
            dir_okay=False,
            help="Users to answer: a sample submission, or a table whose first column are users.",
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


@dataclass(frozen=True)
class LearningOptions:
    """Settings of algorithms; None for the default."""

    keep_seen: Annotated[
        bool,
        typer.Option(
            "--keep-seen",
            help="Also recommend items that a user has in the training set (not sessions).",
        ),
    ] = False
    binary: Annotated[
        bool,
        typer.Option("--binary", help="kNN, als and ease: count every pair of user and item as 1."),
    ] = False
    newest: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="recent: the share of newest interactions; else 0.1."),
    ] = None
    neighbors: Annotated[
        int | None, typer.Option(min=1, help="item-knn and user-knn: how many nearest; else 50.")
    ] = None
    popular_items: Annotated[
        int | None, typer.Option(min=1, help="ease: how many of the most popular; else 10,000.")
    ] = None
    factors: Annotated[
        int | None, typer.Option(min=1, max=1024, help="als and bpr: how many; else 20.")
    ] = None
    alpha: Annotated[
        float | None,
        typer.Option(min=0, help="als: an interaction of value r has confidence 1 + α·r; else 15."),
    ] = None
    regularization: Annotated[
        float | None, typer.Option(min=0, help="λ. als and bpr: else 0.01. ease: else 250.")
    ] = None
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Rounds. als: else 15. bpr: else 50.")
    ] = None
    learning_rate: Annotated[float | None, typer.Option(min=0, help="bpr: else 0.01.")] = None
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**32 - 1, help="random, als and bpr: another seed, other lists; else 42."
        ),
    ] = None


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
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="With --evaluate-train: the ground truth, if it is not in --data.",
        ),
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
