"""The public part of a ground truth in numbers, beside the public share that is set: chance draws
it, so that in a small test set the two may differ. For organizers only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import labelled_rows
from podium.scoring.kinds import kind_of

MAX_OFF = Decimal("0.05")
"""Difference of the public part from the public share that needs no warning."""


@dataclass(frozen=True, slots=True)
class PublicPart:
    """The number of lists, or pairs, with labels on the `public` split, of `total` on both; the
    share that is `wanted`, None where the ground truth itself says it."""

    public: int
    total: int
    units: str
    wanted: Decimal | None

    @property
    def is_far(self) -> bool:
        """True if the part is far from the share that is set."""
        if self.wanted is None:
            return False
        return abs(Decimal(self.public) / self.total - self.wanted) > MAX_OFF

    @property
    def words(self) -> str:
        """The numbers in a sentence, and the reason if they are far from the setting.

        >>> PublicPart(22, 50, "users", Decimal("0.33")).words[:75]
        '22 of 50 users (44 %) are public; the public share is set to 33 %. Chance d'
        >>> PublicPart(1700, 5000, "users", Decimal("0.33")).words
        '1,700 of 5,000 users (34 %) are public; the public share is set to 33 %.'
        """
        found = f"{self.public:,} of {self.total:,} {self.units}"
        found += f" ({100 * self.public / self.total:.0f} %) are public"
        if self.wanted is None:
            return f"{found}, as the column Usage says."
        found += f"; the public share is set to {float(100 * self.wanted):.3g} %."
        return f"{found} {BY_CHANCE}" if self.is_far else found


BY_CHANCE = (
    "Chance draws the split, and in a small test set it may lie off. Participants are told the"
    " setting. A column Usage in the ground truth decides exactly which are public."
)


def public_part(objectives: Mapping[str, Any], settings: CompetitionSettings) -> PublicPart | None:
    """The public part by the counts of a ground truth, per objective and split; None where nothing
    was counted."""
    public, private = (
        labelled_rows(objectives, settings, split) for split in ("public", "private")
    )
    if not public + private:
        return None
    kind = kind_of(settings.task)
    has_several = kind.has_lists and len(objectives) > 1
    units = kind.plural if has_several else kind.unit(settings)[1]
    return PublicPart(public, public + private, units, settings.split.public_fraction)
