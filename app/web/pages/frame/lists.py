"""Lists that are narrowed by filters in the address."""

from __future__ import annotations

from typing import Any

from podium.web.pages.frame.api_calls import Answer
from podium.web.pages.frame.forms import EMPTY, Shown


def listed_or_refused(answer: Answer) -> tuple[dict[str, Any], Shown]:
    """A list, or an empty one with what was wrong with the filters. Raises `ApiProblem` for every
    other refusal."""
    if answer.status == 422:
        return {"items": [], "next_cursor": None}, Shown(
            status=422, summary=answer.document["detail"]
        )
    return answer.or_refuse(), EMPTY
