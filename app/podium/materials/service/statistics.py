"""Figures of the training data that were prepared of interactions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from podium.core.access import Actor, competition_for_reader
from podium.errors import NotFound
from podium.materials import queries


def find(session: Session, *, actor: Actor | None, slug: str) -> Mapping[str, Any]:
    """The figures of the training set that participants download. Raises `NotFound`."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    for summary in reversed(queries.summaries(session, competition.id, usable=True)):
        if found := summary.get("statistics"):
            return dict(found)
    raise NotFound("The training data of this competition were not prepared here.")
