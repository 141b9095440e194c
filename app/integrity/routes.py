"""Routes for organizers who watch over fairness: files that are alike, patterns of probing."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from podium.accounts.authentication.callers import SignedIn
from podium.http.paging import LARGEST_INTEGER, Listed, Paging, link_next
from podium.http.schemas import PersonOut, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading
from podium.integrity import service
from podium.integrity.queries import Marked
from podium.integrity.schemas import AlertOut, AlertsOut, AlikeFileOut, AlikePairOut
from podium.integrity.service import LEAST_SHARE, FilePair

router = strict_router(tag="integrity")


@router.get(
    "/admin/competitions/{slug}/similarity",
    operation_id="listSimilarSubmissions",
    summary="Files of different teams that are alike",
    responses=problems(401, 404),
)
def get_similarity(
    request: Request,
    response: Response,
    session: Reading,
    actor: SignedIn,
    slug: str,
    page: Paging,
    least: Annotated[
        float, Query(ge=0.5, le=1, description="Least share of equal lists.")
    ] = LEAST_SHARE,
) -> Listed[AlikePairOut]:
    """Identical ones first, then by the share of equal lists. Copies of copies appear beside some
    of their relatives, not beside all of them. Baselines and organizers' teams are left out."""
    after = page.after(int)
    offset = min(max(after[0], 0), LARGEST_INTEGER) if after else 0
    pairs = service.alike(session, actor=actor, slug=slug, least_share=least)
    shown, next_cursor = page.cut(
        pairs[offset : offset + page.fetch], key=lambda _: (offset + page.limit,)
    )
    link_next(request, response, next_cursor)
    return Listed(items=[_pair(one) for one in shown], next_cursor=next_cursor)


@router.get(
    "/admin/competitions/{slug}/alerts",
    operation_id="listAlerts",
    summary="Teams that may be probing the board",
    responses=problems(401, 404),
)
def get_alerts(session: Reading, actor: SignedIn, slug: str) -> AlertsOut:
    """Patterns among a team's successive files, and teams whose files are alike, each with the
    reason in words."""
    found = service.alerts(session, actor=actor, slug=slug)
    return AlertsOut(
        items=[
            AlertOut.of(
                one.alert,
                teams=[PersonOut(id=team_id, name=name) for team_id, name in one.teams],
            )
            for one in found
        ]
    )


def _pair(pair: FilePair) -> AlikePairOut:
    return AlikePairOut(
        first=_file(pair.first),
        second=_file(pair.second),
        identical=pair.is_identical,
        equal_lists=round(pair.likeness.lists, 5),
        equal_heads=round(pair.likeness.heads, 5),
    )


def _file(one: Marked) -> AlikeFileOut:
    return AlikeFileOut.of(one, team=PersonOut(id=one.team_id, name=one.team_name))
