"""Settings that are written in a short form or in full: the metric, and the split."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)

from podium.core.competition_settings.strict_numbers import StrictNumbers
from podium.errors.reasons import (
    METRIC_ID,
    METRIC_NAME_PATTERN,
)


def _or_its_id(schema: dict[str, Any]) -> None:
    members = dict(schema)
    schema.clear()
    schema["anyOf"] = [{"type": "string", "examples": ["ndcg@10"]}, members]


class MetricChoice(StrictNumbers):
    """Which metric scores: its name, its K where it has one, and how queries are averaged.

    Also read from its id: `ndcg@10`, `recall_capped@20:micro`, `rmse`. Whether there is such a
    metric is for `scoring` to say.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra=_or_its_id,
    )

    name: Annotated[
        Annotated[str, StringConstraints(pattern=METRIC_NAME_PATTERN)],
        Field(description="The metric, without K and average."),
    ]
    k: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="How many items of a list count. Null for metrics without K.",
    )
    average: Literal["macro", "micro"] = Field(
        default="macro", description="`macro` averages over queries, `micro` over labels."
    )

    @model_validator(mode="before")
    @classmethod
    def _accept_an_id(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        found = METRIC_ID.fullmatch(value)
        if found is None:
            raise ValueError("write a metric as name@K or name@K:micro, or as name without K")
        name, k, average = found.groups()
        return {"name": name, "k": int(k) if k else None, "average": average or "macro"}

    @property
    def title(self) -> str:
        """The name with K, as pages show it: `ndcg@10`."""
        return self.name if self.k is None else f"{self.name}@{self.k}"

    @property
    def id(self) -> str:
        """The title, and the average where it is not `macro`: `recall_capped@20:micro`."""
        return self.title if self.average == "macro" else f"{self.title}:{self.average}"


def _or_the_word_usage(schema: dict[str, Any]) -> None:
    members = dict(schema)
    schema.clear()
    schema["anyOf"] = [{"type": "string", "const": "usage"}, members]


class SplitChoice(StrictNumbers):
    """How sessions are divided: a share that is public, or the organizer's `Usage` column."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_or_the_word_usage)

    public_fraction: Decimal | None = Field(
        default=None,
        gt=0,
        lt=1,
        max_digits=12,
        description="The share of sessions that the public board is made from, between 0 and 1."
        " Null with `usage`.",
    )
    usage: bool = Field(
        default=False, description="True takes the split from the ground truth's column `Usage`."
    )

    @model_validator(mode="before")
    @classmethod
    def _accept_the_word_usage(cls, value: object) -> object:
        return {"usage": True} if value == "usage" else value

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if self.usage == (self.public_fraction is not None):
            raise ValueError("give either public_fraction or the word 'usage'")
        return self
