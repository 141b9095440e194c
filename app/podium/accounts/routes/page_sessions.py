"""Routes of browser sessions. They begin on pages and nowhere else."""

from __future__ import annotations

from podium.accounts.authentication.callers import SignedIn
from podium.accounts.schemas import PageSessionOut
from podium.accounts.service import page_sessions
from podium.core.access import Actor
from podium.core.models import PageSession
from podium.http.paging import Listed
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing

router = strict_router(tag="accounts")


@router.get("/me/sessions", operation_id="listSessions", summary="Browsers in which I am signed in")
def get_sessions(session: Reading, actor: SignedIn) -> Listed[PageSessionOut]:
    """The one that was used last first; there are at most twenty."""
    rows = page_sessions.list_sessions(session, actor=actor)
    return Listed(items=[_session_out(row, actor) for row in rows], next_cursor=None)


@router.delete(
    "/me/sessions/{session_id}",
    operation_id="endSession",
    summary="Sign one of my browsers out",
    status_code=204,
)
def delete_session(session: Writing, actor: SignedIn, session_id: str) -> None:
    """Its cookie opens nothing from the next request on."""
    page_sessions.end_session(session, actor=actor, session_id=session_id)


def _session_out(row: PageSession, actor: Actor) -> PageSessionOut:
    return PageSessionOut.of(
        row,
        expires_at=page_sessions.ends_at(row),
        current=row.id == actor.page_session_id,
    )
