"""A page of the audit log, of a competition or of the installation."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from podium.web.pages.frame.api_calls import ask
from podium.web.pages.frame.forms import Shown, sent_time
from podium.web.pages.frame.lists import listed_or_refused

ENTRIES = 100

LOG_FILTERS = ("action", "who", "since", "until")


async def log_of(
    request: Request, *, competition: str | None
) -> tuple[dict[str, Any], dict[str, str], Shown]:
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
