"""The optional reason of an act in the life of a competition, or of what belongs to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from pydantic import Field

from podium.core.competition_settings.texts import Reason
from podium.http.schemas import Input


class Act(Input):
    """The optional body of an act."""

    reason: Annotated[Reason, Field(examples=["the season is over"])] = ""
    """Why; recorded in the audit log."""


async def _reason(body: Act | None = None) -> str:
    return body.reason if body else ""


ActReason = Annotated[str, Depends(_reason)]
"""The reason of an act, for a parameter of its route; empty without a body."""
