"""Writes the files of a dataset. Equal content gives equal bytes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import polars as pl

from podium.otto.jsonl import Scope
from podium.preparation.dataset import Dataset, Prepared
from podium.preparation.keyed import Ids
from podium.preparation.options import Options
from podium.preparation.reading.interactions import Interactions
from podium.scoring.engine import sample_submission
from podium.scoring.published import PublishedIds, id_type
from podium.scoring.task import Objective, Task

LABELS, PUBLISHED, ITEMS = "labels.csv", "published_ids.csv", "items.csv"
SAMPLE = "sample_submission.csv"

_ROW_GROUP = 1 << 20
_NUMBERS = {"rating": "number", "timestamp": "integer", "type": "string"}


def write_dataset(
    folder: Path,
    read: Interactions,
    options: Options,
    objectives: Mapping[str, Scope],
    train: pl.DataFrame,
    labels: pl.DataFrame,
    items: pl.DataFrame,
) -> Prepared:
    """Writes all files of one division; `items` has the number of users of each item."""
    name = f"train.{options.format}"
    _write_train(_decoded(train, read), folder / name)
    decoded = read.items.decoded(items["item"]).alias("item")
    items.with_columns(decoded).write_csv(folder / ITEMS)
    task = _task(read, objectives)
    _write_labels(_decoded(labels, read), folder / LABELS, options, is_typed=bool(read.types))
    users = read.users.decoded(labels["user"].unique().sort())
    asked = write_asked(folder, users, "session" if read.types else "user", task)
    columns = {role: role if role in train.columns else "" for role in _NUMBERS}
    kinds = {"user": read.users.kind, "item": read.items.kind, **_NUMBERS}
    dataset = Dataset(
        folder=folder,
        user="user",
        item="item",
        **columns,
        protocol=options.protocol,
        settings=options.to_dict() | {"training_users": train["user"].n_unique()},
        objectives=dict(objectives),
        train=name,
        test=None,
        labels=LABELS,
        published=PUBLISHED,
        items=ITEMS,
        kinds={role: kinds[role] for role in train.columns},
    )
    described = dataset.write(folder)
    files = [folder / name, folder / ITEMS, *asked, folder / LABELS, described]
    return Prepared([dataset], files=files, secrets=[folder / LABELS])


def write_asked(folder: Path, ids: pl.Series, column: str, task: Task) -> list[Path]:
    """Writes the ids to predict, in a column of this name, and a sample submission; returns both
    paths."""
    ids.alias(column).to_frame().write_csv(folder / PUBLISHED)
    published = PublishedIds(ids.cast(id_type(task.query_ids)), task.names)
    with (folder / SAMPLE).open("wb") as sink:
        sink.writelines(sample_submission(published, task))
    return [folder / PUBLISHED, folder / SAMPLE]


def _decoded(frame: pl.DataFrame, read: Interactions) -> pl.DataFrame:
    """Replaces the codes of users, items and types by ids and names."""
    columns = {"user": read.users, "item": read.items}
    if read.types:
        columns["type"] = Ids(pl.Series(read.types, dtype=pl.String))
    return frame.with_columns(ids.decoded(frame[name]).alias(name) for name, ids in columns.items())


def _write_train(frame: pl.DataFrame, file: Path) -> None:
    if file.suffix == ".csv":
        frame.write_csv(file)
        return
    frame.rechunk().write_parquet(
        file, compression="zstd", compression_level=1, row_group_size=_ROW_GROUP
    )


def _write_labels(frame: pl.DataFrame, file: Path, options: Options, *, is_typed: bool) -> None:
    """Writes the labels in the long format of ground truths: `user,item`, or with types
    `session,type,aid`."""
    columns = [pl.col("user"), pl.col("item")]
    if is_typed:
        columns = [pl.col("user").alias("session"), pl.col("type"), pl.col("item").alias("aid")]
    if options.relevance:
        columns.append(pl.col("rating").alias("relevance"))
    frame.select(columns).write_csv(file)


def _task(read: Interactions, objectives: Mapping[str, Scope]) -> Task:
    """Builds the task of the sample submission."""
    kinds = {"query_ids": read.users.kind, "item_ids": read.items.kind}
    asked = tuple(Objective(name, Decimal(1)) for name in objectives)
    if read.types:
        return Task(asked, **kinds)  # type: ignore[arg-type]
    return Task(asked, id_column="user", **kinds)  # type: ignore[arg-type]
