"""Settings of tables: their columns, and the metric that an organizer has written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from podium.core.competition_settings.changing import ByRejudging, Free
from podium.core.competition_settings.consistency import Misfit
from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.errors.reasons import COLUMN_PATTERN, OBJECTIVE_PATTERN, TABLE_COLUMN_PATTERN
from podium.scoring.lists.rows import RowProblem
from podium.scoring.tables.columns import (
    MAX_CATEGORIES,
    MAX_TABLE_COLUMNS,
    ColumnType,
    TableColumn,
)
from podium.scoring.tables.fields import read_field

TableColumnName = Annotated[str, StringConstraints(pattern=TABLE_COLUMN_PATTERN)]

Argument = bool | int | float | str | None
"""A value that a metric's function takes beside the tables."""

MOST_ARGUMENTS = 32


class TableColumnChoice(StrictNumbers):
    """One column of a submission beside the id."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: TableColumnName = Field(description="Its name in the header of a submission.")
    type: ColumnType = Field(
        default="number",
        description="`number`, `integer`, `text`, `category` (one of `values`) or `boolean`.",
    )
    minimum: float | None = Field(
        default=None, allow_inf_nan=False, description="The least number allowed.", examples=[0]
    )
    maximum: float | None = Field(
        default=None, allow_inf_nan=False, description="The largest number allowed.", examples=[1]
    )
    values: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = Field(
        default=(), max_length=MAX_CATEGORIES, description="The categories of a `category`."
    )
    is_optional: bool = Field(
        default=False, description="True allows an empty field, which is a missing value."
    )
    max_length: int = Field(
        default=10_000, ge=1, le=10_000_000, description="The longest text, in characters."
    )
    sample: str | None = Field(
        default=None,
        max_length=1_000,
        examples=["0.5"],
        description="The value in the sample submission. Null: one that the column allows.",
    )

    @model_validator(mode="after")
    def _fits_its_type(self) -> Self:
        if self.type not in ("number", "integer") and (self.minimum, self.maximum) != (None, None):
            raise ValueError(f"a {self.type} has no minimum or maximum")
        if None not in (self.minimum, self.maximum) and self.minimum > self.maximum:  # type: ignore[operator]
            raise ValueError("the minimum is above the maximum")
        if (self.type == "category") != bool(self.values):
            raise ValueError("a category, and nothing else, has values: name them")
        if len(set(self.values)) < len(self.values):
            raise ValueError("the same category twice")
        if self.sample is not None:
            try:
                read_field(self.sample.encode(), self.column())
            except RowProblem as wrong:
                raise ValueError(f"the sample does not suit the column: {wrong.detail}") from None
        return self

    def column(self) -> TableColumn:
        """The column as `scoring` takes it."""
        return TableColumn(**self.model_dump())


class OwnMetric(StrictNumbers):
    """The version of the organizer's metric that scores, and how it is run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int = Field(ge=1, description="The version of the metric file that scores.")
    arguments: dict[Annotated[str, StringConstraints(pattern=COLUMN_PATTERN)], Argument] = Field(
        default_factory=dict,
        max_length=MOST_ARGUMENTS,
        examples=[{"beta": 1.0}],
        description="Values of the function's further arguments.",
    )
    seconds: int = Field(
        default=60, ge=1, le=3600, description="The longest run for one split, in seconds."
    )
    memory_bytes: int = Field(
        default=2 << 30, ge=256 << 20, le=1 << 40, description="The most memory of a run, in bytes."
    )
    is_reproducible: bool = Field(
        default=True,
        description="False declares that the same file may score differently each time, which every"
        " page then says.",
    )
    resamples: int = Field(
        default=0,
        ge=0,
        le=1_000,
        description="How many times a bootstrap runs the metric for a standard error, where it"
        " tells nothing about rows itself. 0: none.",
    )


class TableSettings(StrictNumbers):
    """The settings that tables alone have."""

    table_columns: tuple[TableColumnChoice, ...] = Field(
        default=(),
        max_length=MAX_TABLE_COLUMNS,
        exclude_if=lambda kept: not kept,
        description="For tables: the columns of a submission beside the id.",
    )
    objective_columns: ByRejudging[
        dict[
            Annotated[str, StringConstraints(pattern=OBJECTIVE_PATTERN)],
            tuple[TableColumnName, ...],
        ]
    ] = Field(
        default_factory=dict,
        exclude_if=lambda kept: not kept,
        examples=[{"price": ["price"]}],
        description="For tables: the columns that an objective's metric looks at, where it is not"
        " the one with the objective's name, or all.",
    )
    weight_column: TableColumnName | Annotated[str, StringConstraints(pattern="^$")] = Field(
        default="",
        exclude_if=lambda kept: not kept,
        examples=["weight"],
        description="For tables: a column of the solution that weighs rows. Empty: there is none.",
    )
    cluster_column: TableColumnName | Annotated[str, StringConstraints(pattern="^$")] = Field(
        default="",
        exclude_if=lambda kept: not kept,
        examples=["patient"],
        description="For tables: a column of the solution whose values say which rows belong"
        " together; they are split and resampled as a whole. Empty: each row is alone.",
    )
    own_metric: ByRejudging[OwnMetric | None] = Field(
        default=None,
        exclude_if=lambda kept: kept is None,
        description="For tables whose metric is `own` or `own_error`: the organizer's metric file.",
    )
    metric_source_is_public: Free[bool] = Field(
        default=False,
        exclude_if=lambda kept: not kept,
        description="True shows participants the source of the organizer's metric.",
    )

    @property
    def is_reproducible(self) -> bool:
        """False where the organizers declare that the same file may score differently each time."""
        return self.own_metric is None or self.own_metric.is_reproducible

    def columns_of(self, objective: str) -> tuple[TableColumnChoice, ...]:
        """The columns that an objective looks at: those that it names, else the one with its name,
        else all."""
        named = self.objective_columns.get(objective, (objective,))
        return tuple(each for each in self.table_columns if each.name in named) or (
            self.table_columns
        )

    def _misfits_of_tables(self, task: str, objectives: tuple[str, ...]) -> Iterator[Misfit]:
        """Settings of tables that do not fit each other, or the kind of task."""
        about_task = frozenset({"task"})
        if task != "table":
            for name in ("table_columns", "objective_columns", "own_metric"):
                if getattr(self, name):
                    yield Misfit((name,), f"only the task table has {name}", about_task)
            return
        names = [column.name for column in self.table_columns]
        if not names:
            yield Misfit(("table_columns",), "name at least one column", about_task)
        if len(set(names)) < len(names):
            yield Misfit(("table_columns",), "two columns have the same name")
        yield from self._misfits_of_objectives(names, objectives)

    def _misfits_of_objectives(
        self, names: list[str], objectives: tuple[str, ...]
    ) -> Iterator[Misfit]:
        for objective, columns in self.objective_columns.items():
            place = ("objective_columns", objective)
            if objective not in objectives:
                words = f"“{objective}” is not one of the objectives"
                yield Misfit(place, words, frozenset({"objectives"}))
            for column in columns:
                if column not in names:
                    words = f"“{column}” is not one of the columns"
                    yield Misfit(place, words, frozenset({"table_columns"}))
        for objective in objectives if len(objectives) > 1 else ():
            if objective not in self.objective_columns and objective not in names:
                words = f"“{objective}” is no column: name its columns"
                others = frozenset({"objectives", "table_columns"})
                yield Misfit(("objective_columns", objective), words, others)
