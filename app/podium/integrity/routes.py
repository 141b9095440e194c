"""Routes for organizers who look for unfair play: similar files, and patterns of probing."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from podium.accounts.authentication.callers import SignedIn
from podium.core.competition_settings.texts import Reason
from podium.errors.codes import ErrorCode
from podium.http.paging import LARGEST_INTEGER, Listed, Paging
from podium.http.schemas import Input, PersonOut, example, problems
from podium.http.streaming.strict_json import strict_router
from podium.http.transactions import Reading, Writing
from podium.integrity import service
from podium.integrity.queries import Marked
from podium.integrity.rules import AlertLook
from podium.integrity.schemas import (
    AlertLookOut,
    AlertOut,
    AlertsOut,
    AlikeFileOut,
    AlikePairOut,
)
from podium.integrity.service import MIN_SHARE, AlertNamed, FilePair

router = strict_router(tag="integrity")


class GivenLook(Input):
    """A review of an alert, which is named by its code and teams."""

    model_config = example(
        code="few-lists",
        team_ids=["01890a5d-ac96-774b-bcce-b302099a8057"],
        submissions=7,
        note="ok",
    )

    code: Annotated[str, Field(max_length=64, examples=["few-lists"])]
    """The alert's code."""
    team_ids: Annotated[
        list[str],
        Field(min_length=1, max_length=2, examples=[["01890a5d-ac96-774b-bcce-b302099a8057"]]),
    ]
    """The ids of its teams."""
    submissions: Annotated[int, Field(ge=0, le=LARGEST_INTEGER, examples=[7])]
    """The number of submissions that the alert had when it was reviewed: with more, it comes
    back."""
    note: Reason = ""
    """A note for the log: what was found."""
    reopen: bool = False
    """True reopens the alert."""


@router.get(
    "/admin/competitions/{slug}/similarity",
    operation_id="listSimilarSubmissions",
    summary="Files of different teams that are alike",
)
def get_similarity(
    session: Reading,
    actor: SignedIn,
    slug: str,
    page: Paging,
    least: Annotated[
        float, Query(ge=0.5, le=1, description="Least share of equal lists.")
    ] = MIN_SHARE,
) -> Listed[AlikePairOut]:
    """Identical files first, then by the share of equal lists. Copies of copies appear beside some
    of their relatives, not beside all of them. Baselines and organizers' teams are left out."""
    after = page.after(int)
    offset = min(max(after[0], 0), LARGEST_INTEGER) if after else 0
    pairs = service.alike(session, actor=actor, slug=slug, least_share=least)
    return page.listed(
        pairs[offset : offset + page.fetch], key=lambda _: (offset + page.limit,), show=_pair
    )


@router.get(
    "/admin/competitions/{slug}/alerts",
    operation_id="listAlerts",
    summary="Teams that may be probing the board",
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
                looked_at=_look(one.look),
            )
            for one in found
        ]
    )


@router.post(
    "/admin/competitions/{slug}/alerts/looks",
    operation_id="lookAtAlert",
    summary="Set an alert aside, with a note",
    status_code=204,
    responses=problems(404, 422, ErrorCode.UNKNOWN_TEAM),
)
def post_look(session: Writing, actor: SignedIn, slug: str, body: GivenLook) -> None:
    """It stays set aside until more submissions belong to it, or until it is reopened. Both actions
    are entries of the audit log, with the note."""
    named = AlertNamed(body.code, body.team_ids, body.submissions, body.note)
    service.look_at_alert(session, actor=actor, slug=slug, named=named, reopens=body.reopen)


def _look(look: AlertLook | None) -> AlertLookOut | None:
    if look is None:
        return None
    return AlertLookOut(at=look.at, by=PersonOut(id=look.by_id, name=look.by_name), note=look.note)


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
