"""Rules for changes of a setting after the launch of a competition."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias, TypeVar


class Change(Enum):
    """The time in a launched competition at which a setting may change; all others never do."""

    FREELY = "freely"
    BY_REJUDGING = "by rejudging"


Setting = TypeVar("Setting")

Free: TypeAlias = Annotated[Setting, Change.FREELY]
"""A setting that changes freely once people compete."""

ByRejudging: TypeAlias = Annotated[Setting, Change.BY_REJUDGING]
"""A setting whose change requires that every submission is rejudged."""
