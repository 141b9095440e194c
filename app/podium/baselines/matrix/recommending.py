"""Turns learned models into the rows of a submission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl
import scipy.sparse

from podium.baselines.matrix.interactions import CodedInteractions, Whole
from podium.baselines.matrix.model import Known, Learn, QueriedUsers, Recommender
from podium.baselines.matrix.ranking import NONE, filled_up, rows_at_a_time
from podium.baselines.registry import Hyperparameters
from podium.scoring.repeating import repeat

_PORTION = 1 << 14
"""Rows of a submission that are written at a time."""


@dataclass(frozen=True)
class AnsweredRows:
    """The rows of a submission, in order: `id`, `user` (text) and `objective`, an index in
    `objectives`. `columns` are the names of the ids and of the lists."""

    rows: pl.DataFrame
    objectives: tuple[str, ...]
    columns: tuple[str, str]

    @classmethod
    def of(
        cls, ids: pl.Series, *, objectives: Sequence[str] = ("",), columns: tuple[str, str]
    ) -> Self:
        """Parses rows of published ids. With several objectives they are `<user>_<objective>`, or
        users, who get a row for each."""
        rows = ids.cast(pl.String).alias("id").to_frame()
        names = tuple(objectives)
        if names == ("",):
            rows = rows.with_columns(user="id", objective=pl.lit(0, pl.Int64))
            return cls(rows, names, columns)
        parted = rows.with_columns(
            user=pl.col("id").str.replace("_[^_]*$", ""),
            name=pl.col("id").str.extract("_([^_]*)$").fill_null(""),
        )
        if not parted["name"].is_in(names).all():
            every = pl.DataFrame({"name": names})
            parted = rows.rename({"id": "user"}).join(every, how="cross")
            parted = parted.with_columns(id=pl.concat_str("user", pl.lit("_"), "name"))
        number = pl.DataFrame({"name": names, "objective": range(len(names))})
        rows = parted.join(number, on="name", how="left", maintain_order="left")
        return cls(rows.select("id", "user", "objective"), names, columns)


@dataclass(frozen=True)
class UsersItems:
    """Interactions to learn from, and the rows to answer."""

    interactions: CodedInteractions
    published: AnsweredRows

    def learned(self, learn: Learn, settings: Hyperparameters) -> Learned:
        """Learns from the interactions of each objective separately."""
        names = self.published.objectives
        known = tuple(Known(self.interactions.of_type(each), settings) for each in names)
        return Learned(self.published, known, tuple(map(learn, known)))


@dataclass(frozen=True)
class Learned:
    """The rows to answer, and for each objective a learned model and its training data."""

    published: AnsweredRows
    known: tuple[Known, ...]
    models: tuple[Recommender, ...]

    def rows(self, *, keep_seen: bool = False) -> Iterator[pl.DataFrame]:
        """Yields the id and list of every published row, in order, in batches. Unless `keep_seen`,
        lists exclude the items that their user has in the training set, under the same
        objective."""
        published = self.published
        for first in range(0, max(1, published.rows.height), _PORTION):
            rows = published.rows.slice(first, _PORTION)
            labels = np.full(rows.height, "", dtype=object)
            for number in range(len(self.models)):
                mine = np.flatnonzero(rows["objective"].to_numpy() == number)
                labels[mine] = self._labels(number, rows["user"].gather(mine), keep_seen)
            yield pl.DataFrame(
                {
                    published.columns[0]: rows["id"],
                    published.columns[1]: pl.Series(list(labels), dtype=pl.String),
                }
            )

    def known_rows(self, *, graded: bool = False) -> Iterator[pl.DataFrame]:
        """Yields the training items of published users, as a ground truth in the long format, with
        their values as relevance if it is `graded`."""
        published = self.published
        is_typed = published.objectives != ("",)
        user, item = ("session", "aid") if is_typed else (published.columns[0], "item")
        for number, name in enumerate(published.objectives):
            known, rows = self.known[number], published.rows.filter(pl.col("objective") == number)
            for first in range(0, max(1, rows.height), _PORTION):
                users = rows["user"].slice(first, _PORTION)
                found = known.of(_rows_of(known, users))
                row, place = found.nonzero()
                columns = {user: users.gather(row)}
                columns |= {"type": repeat(name, len(row), pl.String)} if is_typed else {}
                columns |= {item: known.interactions.items.gather(place)}
                columns |= {"relevance": pl.Series(found.data)} if graded else {}
                yield pl.DataFrame(columns)

    def _labels(self, number: int, users: pl.Series, keep_seen: bool) -> list[str]:
        known = self.known[number]
        items = known.interactions.items
        rows = _rows_of(known, users)
        step, texts = rows_at_a_time(len(items)), []
        for first in range(0, len(users), step):
            queried = QueriedUsers(users.slice(first, step).to_list(), rows[first : first + step])
            texts += _joined(self._lists(number, queried, keep_seen), items)
        return texts

    def _lists(self, number: int, queried: QueriedUsers, keep_seen: bool) -> Whole:
        known, model = self.known[number], self.models[number]
        length = min(known.settings.length, known.matrix.shape[1])
        left_out = known.of(queried.rows).astype(bool)
        if keep_seen:
            left_out = scipy.sparse.csr_matrix(left_out.shape, dtype=bool)
        lists = model.recommend(queried, left_out)
        return filled_up(lists, left_out, model.fallback, length)


def _rows_of(known: Known, users: pl.Series) -> Whole:
    """Finds the rows of users in the matrix; NONE for those without interactions."""
    numbered = known.interactions.users.alias("user").to_frame().with_row_index("row")
    found = users.alias("user").to_frame().join(numbered, "user", "left", maintain_order="left")
    rows = found["row"].cast(pl.Int64).fill_null(NONE).to_numpy()
    # The last of these stands for NONE.
    empty = np.diff(known.matrix.indptr, append=known.matrix.indptr[-1]) == 0
    return np.where(empty[rows], NONE, rows)


def _joined(lists: Whole, items: pl.Series) -> list[str]:
    """Formats lists of indices as space-separated ids."""
    row, at = np.nonzero(lists != NONE)
    texts = pl.DataFrame({"row": row, "item": items.gather(lists[row, at])})
    joined = texts.group_by("row", maintain_order=True).agg(pl.col("item").str.join(" "))
    labels = [""] * len(lists)
    for number, text in joined.iter_rows():
        labels[number] = text
    return labels
