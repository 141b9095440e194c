"""What an organizer can set: one validated, frozen document per competition, and the presets."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

ObjectiveName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,31}$")]
ColumnName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
Weight = Annotated[Decimal, Field(gt=0, le=1_000_000, max_digits=16)]


class MetricChoice(BaseModel):
    """Which metric scores an objective."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Literal["recall_capped"] = "recall_capped"
    k: int = Field(default=20, ge=1, le=100)
    average: Literal["micro", "macro"] = "micro"


class SplitChoice(BaseModel):
    """How sessions are divided: a share that is public, or the organizer's `Usage` column."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    public_fraction: Decimal | None = Field(default=None, gt=0, lt=1, max_digits=12)
    usage: bool = False

    @model_validator(mode="before")
    @classmethod
    def _accept_the_word_usage(cls, value: Any) -> Any:
        return {"usage": True} if value == "usage" else value

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if self.usage == (self.public_fraction is not None):
            raise ValueError("give either public_fraction or the word 'usage'")
        return self


class CompetitionSettings(BaseModel):
    """Everything but slug, texts, dates and visibility. Defaults are those of OTTO on Kaggle."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: Literal["ranking"] = "ranking"
    objectives: dict[ObjectiveName, Weight] = Field(
        default_factory=lambda: {
            "clicks": Decimal("0.1"),
            "carts": Decimal("0.3"),
            "orders": Decimal("0.6"),
        },
        min_length=1,
        max_length=16,
    )
    metric: MetricChoice = MetricChoice()
    id_column: ColumnName = "session_type"
    labels_column: ColumnName = "labels"
    item_ids: Literal["integer", "string"] = "integer"
    missing_rows: Literal["reject", "zero"] = "reject"
    split: SplitChoice = SplitChoice(public_fraction=Decimal("0.33"))
    daily_limit: int = Field(default=5, ge=1, le=10_000)
    total_limit: int | None = Field(default=None, ge=1)
    final_selections: int = Field(default=2, ge=1, le=100)
    team_size: int = Field(default=5, ge=1, le=100)
    max_upload_bytes: int = Field(default=2 << 30, ge=1, le=1 << 40)
    max_expanded_bytes: int = Field(default=4 << 30, ge=1, le=1 << 40)
    decimals: int = Field(default=5, ge=0, le=12)
    board: Literal["exact"] = "exact"
    objective_scores: Literal["organizers", "after_reveal", "always"] = "after_reveal"
    registration: Literal["open", "invite"] = "open"


FREE_AFTER_LAUNCH = frozenset(
    {
        "daily_limit",
        "total_limit",
        "final_selections",
        "team_size",
        "max_upload_bytes",
        "max_expanded_bytes",
        "decimals",
        "board",
        "objective_scores",
        "registration",
    }
)
"""Settings that change freely once people compete."""

ONLY_BY_REJUDGING = frozenset({"objectives", "metric", "missing_rows"})
"""Settings whose change needs every submission judged anew; all others never change."""

PRESETS: dict[str, dict[str, Any]] = {"otto": {}}
"""Starting points: what each preset sets differently from the defaults."""
