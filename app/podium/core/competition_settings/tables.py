"""Settings of tables: their columns, and the metric that an organizer has written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Self

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from podium.core.competition_settings.changing import ByRejudging, Free
from podium.core.competition_settings.consistency import Misfit
from podium.core.competition_settings.fields import setting
from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.core.competition_settings.task import ObjectiveName
from podium.custom_metric_runner.values import Argument as AnyArgument
from podium.custom_metric_runner.values import elements_of
from podium.errors.reasons import ARGUMENT_PATTERN, NAME_PATTERN
from podium.scoring.column_kinds import COLUMN_KINDS, read_field
from podium.scoring.columns import (
    MAX_CATEGORIES,
    MAX_TABLE_COLUMNS,
    MAX_TEXT,
    ColumnType,
    TableColumn,
)
from podium.scoring.kinds import kind_of
from podium.scoring.task import OTTO
from podium.scoring.text.fields import RowProblem

TableColumnName = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
"""The name of a column of a table. Stored ones may have characters that do not show."""


def _of_one_type(value: object) -> object:
    try:
        return elements_of(value) if isinstance(value, list | tuple) else value
    except ValueError as error:
        raise ValueError(f"this takes {error}") from None


Argument = Annotated[AnyArgument, BeforeValidator(_of_one_type)]
"""A value that a custom metric's function takes beside the tables."""

MAX_ARGUMENTS = 32

Arguments = Annotated[
    dict[Annotated[str, StringConstraints(pattern=ARGUMENT_PATTERN)], Argument],
    Field(max_length=MAX_ARGUMENTS),
]
"""Values by the names of arguments."""


class TableColumnChoice(StrictNumbers):
    """One column of a submission beside the id."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: TableColumnName = Field(description="Its name in the header of a submission.")
    type: ColumnType = Field(
        default="number",
        description="`number`, `integer`, `text`, `category` (one of `values`), `boolean` or"
        " `labels` (any number of them, of `values` where these are named).",
    )
    minimum: float | None = Field(
        default=None, allow_inf_nan=False, description="The least number allowed.", examples=[0]
    )
    maximum: float | None = Field(
        default=None, allow_inf_nan=False, description="The largest number allowed.", examples=[1]
    )
    values: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = Field(
        default=(),
        max_length=MAX_CATEGORIES,
        description="The categories of a `category`, or the only `labels` that there are.",
    )
    is_optional: bool = Field(
        default=False, description="True allows an empty field, which is a missing value."
    )
    max_length: int = Field(
        default=MAX_TEXT, ge=1, le=10_000_000, description="The longest text, in characters."
    )
    sample: str | None = Field(
        default=None,
        max_length=1_000,
        examples=["0.5"],
        description="The value in the sample submission. Null: one that the column allows.",
    )

    @model_validator(mode="after")
    def _fits_its_type(self) -> Self:
        kind = COLUMN_KINDS[self.type]
        if not kind.has_bounds and (self.minimum, self.maximum) != (None, None):
            raise ValueError(f"a {self.type} has no minimum or maximum")
        if None not in (self.minimum, self.maximum) and self.minimum > self.maximum:  # type: ignore[operator]
            raise ValueError("the minimum is above the maximum")
        if lack := kind.lack_of_values(self.values):
            raise ValueError(lack)
        if len(set(self.values)) < len(self.values):
            raise ValueError("the same category twice")
        if self.sample is not None:
            try:
                read_field(self.sample.encode(), self.column())
            except RowProblem as wrong:
                raise ValueError(f"the sample does not suit the column: {wrong.detail}") from None
        return self

    def column(self) -> TableColumn:
        """Converts the choice to the column type of `scoring`."""
        return TableColumn(**self.model_dump())


class CustomMetric(StrictNumbers):
    """The version of the custom metric that scores, and how it is run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int = setting("Version", "The version of the custom metric that scores.", ge=1)
    arguments: Arguments = setting(
        "Arguments",
        "Values of the function's further arguments: numbers, texts, true and false, or an array of"
        " one of these.",
        example={"beta": 1.0},
        default_factory=dict,
    )
    seconds: int = setting(
        "Time limit per split, in seconds",
        "The longest run for one split, in seconds.",
        default=60,
        ge=1,
        le=3600,
    )
    memory_bytes: int = setting(
        "Memory limit",
        "The most memory of a run, in bytes; no more than the installation gives a judging.",
        default=2 << 30,
        ge=256 << 20,
        le=1 << 40,
    )
    is_reproducible: bool = setting(
        "Reproducible",
        "False declares that the same file may score differently each time, which every page then"
        " says.",
        default=True,
    )
    resamples: int = setting(
        "Bootstrap resamples for the standard error",
        "How many times the metric is run for it, where it has no function per_row and returns no"
        " per_row. 0: none.",
        default=0,
        ge=0,
        le=1_000,
    )


class TableSettings(StrictNumbers):
    """The settings that tables alone have."""

    table_columns: tuple[TableColumnChoice, ...] = setting(
        "Columns of a table",
        "For tables: the columns of a submission beside the id, with types and ranges.",
        none="there are none",
        is_sparse=True,
        default=(),
        max_length=MAX_TABLE_COLUMNS,
    )
    objective_columns: ByRejudging[dict[ObjectiveName, tuple[TableColumnName, ...]]] = setting(
        "Columns of objectives",
        "For tables: the columns that an objective's metric looks at. Objectives that are not named"
        " look at the column of their name, or else at all.",
        none="no objective is named",
        example={"price": ["price"]},
        is_sparse=True,
        default_factory=dict,
    )
    weight_column: TableColumnName | Annotated[str, StringConstraints(pattern="^$")] = setting(
        "Weight column",
        "For tables: a column of the solution with the weight of each row, above 0.",
        none="all rows weigh the same",
        example="weight",
        is_sparse=True,
        default=OTTO.weight_column,
    )
    cluster_column: TableColumnName | Annotated[str, StringConstraints(pattern="^$")] = setting(
        "Cluster column",
        "For tables: a column of the solution whose values say which rows belong together; they are"
        " split and resampled as a whole.",
        none="each row is alone",
        example="patient",
        is_sparse=True,
        default=OTTO.cluster_column,
    )
    own_metric: ByRejudging[CustomMetric | None] = setting(
        "Custom metric",
        "For tables whose metric is `own` or `own_error`: the version of the custom metric"
        " that scores, and how it is run.",
        none="there is none",
        is_sparse=True,
        default=None,
    )
    metric_source_is_public: Free[bool] = setting(
        "Participants may read the source",
        "True shows participants the source of the custom metric, and its arguments.",
        is_sparse=True,
        default=False,
    )

    @property
    def is_reproducible(self) -> bool:
        """False where the organizers declare that the same file may score differently each time."""
        return self.own_metric is None or self.own_metric.is_reproducible

    def columns_of(self, objective: str) -> tuple[TableColumnChoice, ...]:
        """Selects the columns that an objective scores: those that it names, else the one with its
        name, else all."""
        named = self.objective_columns.get(objective, (objective,))
        return tuple(each for each in self.table_columns if each.name in named) or (
            self.table_columns
        )

    def _misfits_of_tables(self, task: str, objectives: tuple[str, ...]) -> Iterator[Misfit]:
        """Finds settings of tables that do not fit each other, or the kind of task."""
        about_task = frozenset({"task"})
        if not kind_of(task).has_table:
            for name in ("table_columns", "objective_columns", "own_metric"):
                if getattr(self, name):
                    yield Misfit((name,), f"only tables and label sets have {name}", about_task)
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
                words = f"“{objective}” is not a column: name its columns"
                others = frozenset({"objectives", "table_columns"})
                yield Misfit(("objective_columns", objective), words, others)
