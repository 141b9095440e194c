"""A competition's settings as a file: what can be kept under version control, and sent again."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.schemas.metrics import settings_document
from podium.competitions.schemas.versions import etag_of
from podium.competitions.service import competitions
from podium.competitions.service.competitions import CompetitionView
from podium.core.access import competition_for_organizer
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.texts import Texts
from podium.http.streaming.downloads import attachment_headers, media_type_for
from podium.http.streaming.yaml_text import written
from podium.http.transactions import Reading, TransactionRoute

router = APIRouter(route_class=TransactionRoute, tags=["competitions"])

MEDIA_TYPE, PLAIN = "application/yaml", "text/plain"

_SETTINGS = """\
slug: otto
title: OTTO
objectives:
  clicks: 0.1
  carts: 0.3
  orders: 0.6
metric:
  name: recall_capped
  k: 20
  average: micro
daily_limit: 5
"""


@router.get(
    "/admin/competitions/{slug}/settings.yaml",
    operation_id="getSettingsFile",
    summary="All settings as a file",
    response_class=Response,
    responses={
        200: {
            "description": "YAML; as JSON its members are what makes and changes competitions.",
            "content": {
                kind: {"schema": {"type": "string"}, "example": _SETTINGS}
                for kind in (MEDIA_TYPE, PLAIN)
            },
        }
    },
)
def get_settings_file(session: Reading, actor: SignedIn, slug: str, request: Request) -> Response:
    """Texts, dates and settings. A competition that is made of it is the same again."""
    competition_for_organizer(session, slug=slug, actor=actor)
    described = competitions.describe(session, actor=actor, slug=slug)
    headers = attachment_headers(f"{slug}.yaml") | {"ETag": etag_of(described.competition)}
    media_type = media_type_for(request, MEDIA_TYPE, plain=PLAIN)
    return Response(settings_yaml(described), media_type=media_type, headers=headers)


def settings_yaml(described: CompetitionView) -> str:
    """The file: texts and dates first, then the settings, each in a fixed order."""
    competition, members = described.competition, settings_document(described.settings)
    texts = {name: getattr(competition, name) for name in Texts.model_fields}
    dates = {
        name: None if texts[name] is None else texts[name].strftime("%Y-%m-%dT%H:%M:%SZ")
        for name in ("starts_at", "ends_at")
    }
    settings = {name: members[name] for name in CompetitionSettings.model_fields if name in members}
    return written({**texts, **dates, **settings})
