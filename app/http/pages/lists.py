"""Lists on pages that are narrowed by filters in the address; the audit log is one of them."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from podium.http.pages.api_calls import Answer, ask
from podium.http.pages.fields import EMPTY, FormView, sent_time


def listed_or_refused(answer: Answer) -> tuple[dict[str, Any], FormView]:
    """A list, or an empty one with what was wrong with the filters. Raises `ApiProblem` for every
    other refusal."""
    if answer.status == 422:
        return {"items": [], "next_cursor": None}, FormView(
            status=422, summary=answer.document["detail"]
        )
    return answer.or_refuse(), EMPTY


ENTRIES = 100

LOG_FILTERS = ("action", "who", "since", "until")


async def log_of(
    request: Request, *, competition: str | None
) -> tuple[dict[str, Any], dict[str, str], FormView]:
    """A page of the audit log, the filters in the address, and what was wrong with these."""
    asked = {name: request.query_params.get(name, "").strip() for name in LOG_FILTERS}
    answer = await ask(
        request,
        "GET",
        "/api/v1/admin/audit",
        params={
            "competition": competition,
            "action": asked["action"] or None,
            "who": asked["who"] or None,
            "since": sent_time(asked["since"]),
            "until": sent_time(asked["until"]),
            "limit": ENTRIES,
            "cursor": request.query_params.get("cursor"),
        },
    )
    listed, form = listed_or_refused(answer)
    return listed, asked, form
