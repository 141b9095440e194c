"""The parameters of a preparation of interactions, and the figures of a training set."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from podium.http.schemas import Output
from podium.materials.service.interactions import CHOICES


def _one_of(name: str) -> dict[str, Any]:
    return {"enum": list(CHOICES[name])}


_COLUMN = "Column of the {}: its name or, from 1, its position. Empty: known by its name{}."
_OR_NONE = "; `-`: none"


class InteractionParams(BaseModel):
    """The options of `podium prepare`, under the same names."""

    protocol: str = Field(
        default="leave-one-out",
        json_schema_extra=_one_of("protocol"),
        description="Hide one interaction of each user, `count` of them, or a `share`; or all after"
        " a moment (`time`).",
    )
    pick: str = Field(
        default="last",
        json_schema_extra=_one_of("pick"),
        description="Which interactions of a user are hidden.",
    )
    count: int = Field(default=1, description="With `leave-k-out`: how many of each user.")
    share: float = Field(
        default=0.2,
        description="With `share`: of each user's interactions, rounded down, but one at least."
        " With `time`: the latest share of all.",
    )
    days: float | None = Field(default=None, description="With `time`: hide the last days.")
    at: str | None = Field(
        default=None,
        max_length=40,
        description="With `time`: hide all from this moment on, a date or a number as in the file.",
    )
    min_train: int = Field(
        default=1, description="Nothing is hidden of users who would keep fewer interactions."
    )
    test_users: int | None = Field(
        default=None, description="Hide interactions of this many users only."
    )
    cold_items: str = Field(
        default="keep",
        json_schema_extra=_one_of("cold_items"),
        description="Labels of items that the training set lacks.",
    )
    threshold: float | None = Field(
        default=None, description="Drop interactions rated lower.", examples=[4]
    )
    relevance: bool = Field(default=False, description="Labels keep the rating as their relevance.")
    duplicates: str = Field(
        default="last",
        json_schema_extra=_one_of("duplicates"),
        description="Of a user's interactions with the same item: which one is kept.",
    )
    min_user: int = Field(
        default=1,
        description="Drop users with fewer interactions, and again until none is left (k-core).",
    )
    min_item: int = Field(default=1, description="The same for items.")
    objectives: str = Field(
        default="",
        description="Types to predict, as `view=next,order=all`: the next one, or all later ones."
        " Empty: all types, all later ones.",
    )
    user: str = Field(default="", description=_COLUMN.format("users", ""))
    item: str = Field(default="", description=_COLUMN.format("items", ""))
    rating: str = Field(default="", description=_COLUMN.format("ratings", _OR_NONE))
    time: str = Field(default="", description=_COLUMN.format("times", _OR_NONE))
    type: str = Field(
        default="-", description="Column of types, such as view and order; `-`: none."
    )
    separator: str | None = Field(
        default=None, description="Between fields, as `;` or `tab`. Else the first line tells."
    )
    header: bool | None = Field(
        default=None, description="Whether the first line names the columns. Else it tells."
    )
    time_unit: str = Field(
        default="auto",
        json_schema_extra=_one_of("time_unit"),
        description="Of the times; `auto`: their size tells.",
    )
    format: str = Field(
        default="parquet",
        json_schema_extra=_one_of("format"),
        description="The form of the training set.",
    )


Count = Annotated[int, Field(examples=[120])]

Figure = Annotated[float, Field(examples=[3.7])]

Moment = Annotated[int, Field(examples=[964_982_703])]

Day = Annotated[str, Field(examples=["2000-07-30"])]

ByName = Annotated[dict[str, int], Field(examples=[{"4": 120}])]


class BarOut(Output):
    """A bar of a histogram."""

    from_: Annotated[int, Field(alias="from", examples=[2])]
    """The fewest interactions that are counted here."""
    to: Annotated[int, Field(examples=[3])]
    """The most."""
    count: Count
    """Users or items that have so many."""


class SpreadOut(Output):
    """Interactions of each user, or of each item."""

    mean: Figure
    """The mean number of interactions."""
    quantiles: Annotated[dict[str, int], Field(examples=[{"0": 2, "0.5": 31, "1": 240}])]
    """By share: `0` is the fewest, `0.5` the median, `1` the most."""
    histogram: list[BarOut]
    """The numbers of users or items by how many interactions they have."""


class RatingsOut(Output):
    """The ratings of a set of interactions."""

    distinct: Annotated[int, Field(examples=[10])]
    """Different values."""
    least: Annotated[float | None, Field(examples=[0.5])] = None
    """The lowest rating. Null: there is no number."""
    most: Annotated[float | None, Field(examples=[5])] = None
    """The highest rating. Null: there is no number."""
    mean: Figure
    """The mean of all ratings."""
    counts: ByName | None = None
    """Interactions by rating. Null: there are too many different ones."""


class TimesOut(Output):
    """The times of a set of interactions."""

    first: Moment
    """As the training set has it."""
    last: Moment
    """The latest time, in the same form."""
    unit: Annotated[str, Field(examples=["s"])]
    """`s` or `ms` since 1970. Empty: times only say what came first."""
    from_: Annotated[Day | None, Field(alias="from")] = None
    """The first as a date, UTC."""
    to: Day | None = None
    """The last as a date, UTC."""


class StatisticsOut(Output):
    """A training set in figures."""

    interactions: Count
    """Rows of the training set."""
    users: Count
    """Different users."""
    items: Count
    """Different items."""
    density: Annotated[float, Field(examples=[0.017])]
    """Interactions divided by users × items."""
    gini_of_popularity: Annotated[float, Field(examples=[0.62])]
    """0: all items have equally many interactions. Near 1: a few have nearly all."""
    per_user: SpreadOut
    """Interactions of users."""
    per_item: SpreadOut
    """Interactions with items."""
    ratings: RatingsOut | None = None
    """Null: there are none."""
    times: TimesOut | None = None
    """Null: there are none."""
    types: Annotated[dict[str, int], Field(examples=[{"view": 120}])] | None = None
    """Interactions by type. Null: there are none."""
