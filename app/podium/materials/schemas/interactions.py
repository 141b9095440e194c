"""The parameters of a preparation of interactions, and the figures of a training set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, create_model

from podium.http.schemas import Output
from podium.materials.service.interactions import CHOICES, PARAMETERS
from podium.preparation.described import DescribedOption

LONGEST_MOMENT = 40
"""Characters of a moment."""


def _parameter(option: DescribedOption) -> tuple[Any, Any]:
    """Returns the type and the field of an option. The words of a choice are checked later, with
    their own error code."""
    name, default, meaning = option.name, option.default, option.about.meaning
    if name == "objectives":
        return str, Field("", description=meaning)
    if name in CHOICES:
        words: dict[str, Any] = {"enum": list(CHOICES[name])}
        return str, Field(default, description=meaning, json_schema_extra=words)
    longest = LONGEST_MOMENT if name == "at" else None
    return option.type, Field(default, description=meaning, max_length=longest)


if TYPE_CHECKING:
    # A type checker takes no class that is made of what others declare.
    InteractionParams = BaseModel
else:
    InteractionParams = create_model(
        "InteractionParams",
        __doc__="The options of `podium prepare`, under the same names.",
        **{name: _parameter(option) for name, option in PARAMETERS.items()},
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
