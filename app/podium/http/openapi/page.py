"""The page on which people read the description of the API, and try it."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from podium.core.problems import meanings
from podium.http.html.rendering import templates
from podium.http.openapi.topics import TOPICS

SWAGGER = "/static-offline-docs"
"""The address of Swagger UI's own files."""

router = APIRouter(include_in_schema=False)


@router.get("/docs")
def show_reference(request: Request) -> Response:
    """Renders Swagger UI, started by a script of ours."""
    codes = sorted({each.code for each in meanings()})
    shown = {"swagger": SWAGGER, "codes": codes, "topics": TOPICS}
    return templates.TemplateResponse(request, "reference.html", shown)
