"""Documents of what there is to tell about a metric, as its page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import Field

from podium.http.schemas import Output
from podium.scoring.metrics.pages import Example, MetricDescription, page_of


class NamedTextOut(Output):
    """A text under a name."""

    name: str
    """The thing that the text is about."""
    text: str
    """A sentence or a few words about it."""

    @classmethod
    def all_of(cls, pairs: Iterable[tuple[str, str]]) -> list[Self]:
        """The documents of pairs of a name and a text."""
        return [cls(name=name, text=text) for name, text in pairs]


class MetricExampleOut(Output):
    """An example that can be computed by hand."""

    metric: Annotated[str, Field(examples=["map_capped@3"])]
    """The metric in full, as settings have it."""
    given: list[NamedTextOut]
    """The list, the relevant items, and the like."""
    steps: Annotated[list[str], Field(examples=[["Divided by min(4, 3) = 3: 0.55556"]])]
    """The computation, step by step."""
    value: Annotated[float, Field(examples=[0.55556])]
    """The value, with five decimals."""

    @classmethod
    def shown(cls, example: Example) -> Self:
        """The document of an example."""
        return cls.of(example, given=NamedTextOut.all_of(example.given), steps=list(example.steps))


class AboutMetricOut(Output):
    """The answers to what people ask about a metric."""

    family: Annotated[str, Field(examples=["Ranks of hits"])]
    """The heading under which it is listed."""
    title: Annotated[str, Field(examples=["Capped mean average precision (MAP@K)"])]
    """The name in full, and the short one in brackets."""
    tex: Annotated[str, Field(examples=[r"\frac{1}{K} \sum_{i=1}^{K} h_i"])]
    """The formula in LaTeX; for one query where lists are scored."""
    symbols: Annotated[str, Field(examples=["hᵢ is 1 if the item at rank i is relevant, else 0."])]
    """The letters of the formula in words."""
    definition: str
    """The meaning of the metric in two or three sentences, and when to take it."""
    example: MetricExampleOut
    """An example that can be computed by hand, with its steps."""
    cases: list[NamedTextOut]
    """The consequences of empty lists, missing hits, many labels, duplicates and ties."""
    average: Annotated[str, Field(examples=["macro: the mean over the queries that have labels."])]
    """The way from the values of queries to one."""
    value_range: Annotated[str, Field(examples=["0 to 1; higher is better."])]
    """The numbers between which it lies, and the better direction."""
    standard_error: Annotated[str, Field(examples=["From the spread between sessions."])]
    """The way to its standard error, or the reason why there is none."""
    used_by: Annotated[list[str], Field(examples=[["H&M (2022): K = 12"]])]
    """Competitions, courses and papers that use it."""
    elsewhere: list[NamedTextOut]
    """Libraries, and what they call it."""
    relatives: list[NamedTextOut]
    """Metrics that it is mistaken for, and the difference."""

    @classmethod
    def shown(cls, page: MetricDescription) -> Self:
        """The document of a page."""
        named = {
            name: NamedTextOut.all_of(getattr(page, name))
            for name in ("cases", "elsewhere", "relatives")
        }
        example = MetricExampleOut.shown(page.example)
        return cls.of(page, used_by=list(page.used_by), example=example, **named)


def about_metric(key: str) -> AboutMetricOut:
    """The page of the metric with this key. Raises LookupError for one without a page."""
    return AboutMetricOut.shown(page_of(key))
