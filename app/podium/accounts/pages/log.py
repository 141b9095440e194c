"""The audit log on pages: of a competition, and of an installation."""

from __future__ import annotations

from fastapi import Request

from podium.accounts.schemas import AuditOut
from podium.http.pages.api_calls import ask
from podium.http.pages.fields import FormView, sent_time
from podium.http.pages.lists import listed_or_refused
from podium.http.paging import Listed

ENTRIES = 100

LOG_FILTERS = ("action", "who", "since", "until")


async def log_of(
    request: Request, *, competition: str | None
) -> tuple[Listed[AuditOut], dict[str, str], FormView]:
    """Reads a page of the audit log; returns it with the filters of the address, and their
    refusal."""
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
    listed, form = listed_or_refused(answer, Listed[AuditOut])
    return listed, asked, form
