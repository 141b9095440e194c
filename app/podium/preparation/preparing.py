"""Prepares a dataset: read, filter, hide, write. Equal interactions give equal bytes; sessions are
cut by a separate protocol, which never holds all of them in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from podium.errors import InvalidInput
from podium.otto.jsonl import Scope
from podium.preparation.cleaning import cleaned, pair_of
from podium.preparation.dataset import Prepared
from podium.preparation.files.text import MAX_BYTES
from podium.preparation.keyed import KeyedHash
from podium.preparation.labels import labels_of, objectives_of
from podium.preparation.options import ColumnChoice, CutOptions, Options
from podium.preparation.ordering import Runs, TimeOrder
from podium.preparation.protocols import Draw, fold_rows, hidden_rows
from podium.preparation.reading.interactions import Interactions, read_interactions
from podium.preparation.report import write_report
from podium.preparation.sessions.writing import prepare_sessions
from podium.preparation.statistics import figures, figures_by_counts
from podium.preparation.writing import write_dataset
from podium.scoring.repeating import repeat


def prepare(
    files: Sequence[Path],
    out: Path,
    *,
    options: Options | CutOptions,
    key: bytes,
    drawn_by: str = "a secret key",
    most_bytes: int = MAX_BYTES,
) -> Prepared:
    """Writes a dataset to the folder `out`; with the protocol `k-fold`, one for each fold to
    `fold-1`, `fold-2` ….

    `drawn_by` describes the source of the key, and never contains the key. Raises `RawFileRefused`
    with the lines that cannot be read, and `InvalidInput` for options that do not fit the files.
    """
    out.mkdir(parents=True, exist_ok=True)
    if isinstance(options, CutOptions):
        return prepare_sessions(files, out, options, key, drawn_by, most_bytes)
    if len(files) > 1:
        raise InvalidInput("Give one file of interactions.")
    with tempfile.TemporaryDirectory(dir=out, prefix=".preparing-") as work:
        read = read_interactions(files[0], options.source, work=Path(work), most_bytes=most_bytes)
    if options.needs_times and not read.has("timestamp"):
        raise InvalidInput(
            "This needs times, and the file has none: name their column, or pick at random."
        )
    run = _Preparation(read, options, key)
    run.report = {"file": files[0].name, "drawn_by": drawn_by, **run.report}
    made = Prepared(report=run.report)
    for folder, part in run.parts(out):
        run.write(folder, part, made)
    reports = write_report(out, run.report)
    made.files += reports
    made.secrets += reports
    return made


def statistics(file: Path, source: ColumnChoice, *, work: Path) -> dict[str, Any]:
    """Computes the statistics of a file as it is. Raises `RawFileRefused` with the lines that
    cannot be read."""
    read = read_interactions(file, source, work=work)
    frame = read.frame
    found = figures(frame, read.unit, read.types)
    found["repeated"] = frame.height - frame.select(pair_of(frame)).n_unique()
    if read.has("timestamp"):
        ordered = TimeOrder.of(frame.select("user", "timestamp").sort("user"))
        found["share_of_equal_times"] = ordered.share_of_equal
    return {"file": file.name, "columns": dict(read.layout.columns), **found}


@dataclass(frozen=True)
class _Division:
    """One division: `train` is the training set, `hidden` the hidden interactions; others are in
    neither."""

    train: pl.DataFrame
    hidden: pl.DataFrame
    facts: Mapping[str, Any]


class _Preparation:
    """The second half of a preparation, when all interactions are in memory."""

    def __init__(self, read: Interactions, options: Options, key: bytes) -> None:
        self.options = options
        # The columns as read are the largest object in memory, and soon not needed.
        self.read = replace(read, frame=read.frame.clear())
        self.draw = Draw(KeyedHash(key), read.users, read.items)
        self.objectives: dict[str, Scope] = objectives_of(read.types, options.objectives)
        raw = figures(read.frame, read.unit, read.types)
        frame, dropped = cleaned(read.frame, options)
        self.frame, self.runs = frame, Runs.of(frame["user"])
        is_same = not sum(dropped.values()) and frame.columns == read.frame.columns
        kept = raw if is_same else figures(frame, read.unit, read.types)
        columns = dict(read.layout.columns)
        self.report: dict[str, Any] = {"columns": columns, "raw": raw}
        self.report |= {"dropped": dropped, "kept": kept}
        self.order = TimeOrder.of(frame) if "timestamp" in frame.columns else None
        if self.order is not None:
            self.report["share_of_equal_times"] = self.order.share_of_equal

    def parts(self, out: Path) -> Iterator[tuple[Path, _Division]]:
        """Yields the folder of each division, and the division itself."""
        if self.options.protocol != "k-fold":
            yield out, self._divided()
            return
        folds = fold_rows(self.frame, self.runs, self.options, self.draw)
        for fold in range(self.options.folds):
            is_hidden = folds == fold
            hidden = self.frame.filter(is_hidden)
            yield out / f"fold-{fold + 1}", _Division(self.frame.filter(~is_hidden), hidden, {})

    def _divided(self) -> _Division:
        arguments = self.frame, self.runs, self.options, self.draw
        found = hidden_rows(*arguments, order=self.order, unit=self.read.unit)
        hidden = self.frame[found.rows]
        facts = {"tied_users": found.tied_users}
        if found.after is not None:
            # Later interactions of all users are dropped, also of those who are not test users.
            train = self.frame.filter(pl.col("timestamp") <= found.after)
            return _Division(train, hidden, facts | {"train_until": found.after})
        is_train = repeat(1, self.frame.height, pl.UInt8)
        is_train = is_train.scatter(found.rows, 0) == 1
        return _Division(self.frame.filter(is_train), hidden, facts)

    def write(self, folder: Path, part: _Division, made: Prepared) -> None:
        """Writes one division and adds it to the report."""
        if part.train.is_empty() or part.hidden.is_empty():
            raise InvalidInput("No user has enough interactions: nothing can be hidden.")
        labels = labels_of(part.hidden, self.read.types, self.objectives, self.draw)
        users = pl.col("user").n_unique() if "type" in part.train.columns else pl.len()
        items = part.train.group_by("item").agg(users=users.cast(pl.Int64)).sort("item")
        cold = labels.join(items, on="item", how="anti")
        if self.options.cold_items == "drop":
            labels = labels.join(items, on="item", how="semi", maintain_order="left")
        if labels.is_empty():
            raise InvalidInput("No label is left: nothing can be asked.")
        counts = Runs.of(part.train["user"]).count
        train = figures_by_counts(
            part.train, counts, items["users"], self.read.unit, self.read.types
        )
        facts = {**part.facts, "train": train, "labels": _label_figures(labels, part, cold)}
        folder.mkdir(exist_ok=True)
        written = write_dataset(
            folder, self.read, self.options, self.objectives, part.train, labels, items
        )
        made.datasets += written.datasets
        made.files += written.files
        made.secrets += written.secrets
        if self.options.protocol == "k-fold":
            self.report.setdefault("folds", []).append(facts)
        else:
            self.report |= facts


def _label_figures(labels: pl.DataFrame, part: _Division, cold: pl.DataFrame) -> dict[str, Any]:
    return {
        "users": labels["user"].n_unique(),
        "labels": labels.height,
        "items": labels["item"].n_unique(),
        "hidden": part.hidden.height,
        "of_cold_items": cold.height,
    }
