"""Headers of boards that clients may keep, and boards of the past made for one at a time."""

from __future__ import annotations

from typing import Any

from podium.boards.service import views
from podium.core.locks import Board
from podium.core.models import Competition
from podium.http.caching.single_flight import OneAtATime

histories = OneAtATime(most_waiting=8)
"""A board of the past costs a hundred times one of today, and anybody may ask for many."""

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Not changed since `If-None-Match`."}
}


def board_headers(competition: Competition, split: Board, part: str) -> dict[str, str]:
    """The headers of a part of a board, which may be kept and asked for again."""
    tag = f'W/"{split}.{views.version_of(competition)}.{part}"'
    return {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Authorization, Cookie"}
