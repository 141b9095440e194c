"""The consequences of a change of settings at a point in a competition's life."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from podium.core.competition_settings import (
    FREE_AFTER_LAUNCH,
    ONLY_BY_REJUDGING,
    CompetitionSettings,
)

FIXED = CompetitionSettings.model_fields.keys() - FREE_AFTER_LAUNCH - ONLY_BY_REJUDGING
"""Settings that never change after the launch."""

READS_GROUND_TRUTH = FIXED - {"table_columns"} | {"objectives", "objective_metrics", "metric"}
"""Settings that decide how an uploaded ground truth is read; a change outdates the stored versions,
so that they must be uploaded again."""


@dataclass(frozen=True, slots=True)
class Changed:
    """The names of the settings whose values differ."""

    names: frozenset[str]

    @property
    def fixed(self) -> frozenset[str]:
        """Changed settings that are fixed after the launch."""
        return self.names & FIXED

    @property
    def need_rejudging(self) -> frozenset[str]:
        """Changed settings that require a rejudging after the launch."""
        return self.names & ONLY_BY_REJUDGING

    @property
    def outdate_ground_truth(self) -> bool:
        """True if stored ground truth would be read differently after the change."""
        return bool(self.names & READS_GROUND_TRUTH)


def changed_between(before: CompetitionSettings, after: CompetitionSettings) -> Changed:
    """Compares two settings documents; the order of objectives counts, it numbers the queries."""
    names = {
        name
        for name in CompetitionSettings.model_fields
        if getattr(before, name) != getattr(after, name)
    }
    if list(before.objectives) != list(after.objectives):
        names.add("objectives")
    return Changed(frozenset(names))


def closed_to_strangers(changes: Mapping[str, object]) -> dict[str, object]:
    """Chooses the registration that goes with making a competition private: by invitation, unless
    the same changes set another one; empty for all other changes. A hidden competition must not
    remain open to all."""
    is_hidden = changes.get("visibility") == "private" and "registration" not in changes
    return {"registration": "invite"} if is_hidden else {}


def taken_slug(slug: str) -> str:
    """Words the refusal of a slug that another competition has."""
    return f"There is a competition “{slug}” already. Choose another slug."


END_BEFORE_START = "The competition must close after it opens."


def dates_are_ordered(starts_at: datetime | None, ends_at: datetime | None) -> bool:
    """True if a competition with these dates lasts for any time at all."""
    return starts_at is None or ends_at is None or starts_at < ends_at
