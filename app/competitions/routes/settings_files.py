"""A competition's settings as a file: what can be kept under version control, and sent again."""

from __future__ import annotations

from fastapi import APIRouter, Response

from podium.accounts.authentication.callers import SignedIn
from podium.competitions.schemas.competitions import etag_of
from podium.competitions.schemas.metrics import settings_document
from podium.competitions.service import competitions
from podium.competitions.service.competitions import CompetitionView, Texts
from podium.core.access import competition_for_organizer
from podium.core.competition_settings import CompetitionSettings
from podium.http.schemas import problems
from podium.http.streaming.downloads import attachment_headers
from podium.http.streaming.yaml_text import written
from podium.http.transactions import Reading, TransactionRoute

router = APIRouter(route_class=TransactionRoute, tags=["competitions"])

MEDIA_TYPE = "application/yaml"


@router.get(
    "/admin/competitions/{slug}/settings.yaml",
    operation_id="getSettingsFile",
    summary="All settings as a file",
    response_class=Response,
    responses={
        200: {
            "description": "YAML; as JSON its members are what makes and changes competitions.",
            "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
        },
        **problems(401, 404),
    },
)
def get_settings_file(session: Reading, actor: SignedIn, slug: str) -> Response:
    """Texts, dates and settings. A competition that is made of it is the same again."""
    competition_for_organizer(session, slug=slug, actor=actor)
    described = competitions.describe(session, actor=actor, slug=slug)
    headers = attachment_headers(f"{slug}.yaml") | {"ETag": etag_of(described.competition.version)}
    return Response(settings_yaml(described), media_type=MEDIA_TYPE, headers=headers)


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
