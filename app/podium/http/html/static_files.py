"""The style sheets, scripts and pictures of the pages."""

from __future__ import annotations

from fastapi import APIRouter, Response

from podium.errors import NotFound
from podium.http.html.rendering import MEDIA_TYPES, RELEASE, STATIC

FOREVER = "public, max-age=31536000, immutable"
"""For addresses that name the content."""

FOR_A_WHILE = "public, max-age=300"
"""For addresses without a release, or with another one: a page may be older than an upgrade."""

router = APIRouter(include_in_schema=False)


@router.get("/static/{name}")
def show_static(name: str) -> Response:
    """Serves a file by its name alone, cached for a while."""
    return _file(name, FOR_A_WHILE)


@router.get("/static/{release}/{name}")
def show_kept_static(release: str, name: str) -> Response:
    """Serves a file by the address that `asset` builds, cached for ever where the release is
    current."""
    return _file(name, FOREVER if release == RELEASE else FOR_A_WHILE)


def _file(name: str, cache_control: str) -> Response:
    if name not in STATIC:
        raise NotFound("There is no such file.")
    return Response(
        STATIC[name].read_bytes(),
        media_type=MEDIA_TYPES[STATIC[name].suffix],
        headers={"Cache-Control": cache_control},
    )
