"""Documents about files that are alike, and alerts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.http.schemas import Output, PersonOut, ShownTime


class AlikeFileOut(Output):
    """A file of a pair."""

    submission_id: str
    team: PersonOut
    submitted_at: ShownTime
    sha256: str


class AlikePairOut(Output):
    """Two files of different teams, the earlier one first. `equal_lists` and `equal_heads` (the
    first five items) are shares of a secret sample of 256 queries; `identical` files have no
    difference in any list that was looked at."""

    first: AlikeFileOut
    second: AlikeFileOut
    identical: bool
    equal_lists: Annotated[float, Field(examples=[0.98828])]
    equal_heads: Annotated[float, Field(examples=[1.0])]


class AlertOut(Output):
    """A reason to look at one team, or at two."""

    code: Annotated[str, Field(examples=["few-lists"])]
    reason: str
    teams: list[PersonOut]
    submission_ids: list[str]


class AlertsOut(Output):
    """What stands out now. Nothing happens by itself."""

    items: list[AlertOut]
