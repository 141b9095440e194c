"""Announcements as an Atom feed (RFC 4287)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree

from fastapi import APIRouter, Response

from podium.accounts.authentication.callers import MaybeActor
from podium.competitions.service import announcements
from podium.core.models import Announcement, Competition
from podium.http.deps import App
from podium.http.transactions import Reading, TransactionRoute

ATOM = "http://www.w3.org/2005/Atom"

MEDIA_TYPE = "application/atom+xml; charset=utf-8"

ENTRIES = 50

router = APIRouter(route_class=TransactionRoute, include_in_schema=False)


@router.get("/competitions/{slug}/announcements.atom")
def show_feed(slug: str, actor: MaybeActor, session: Reading, app: App) -> Response:
    """Serves the newest announcements as a feed; for a private competition with a member's token
    only."""
    competition, rows = announcements.list_announcements(
        session, slug=slug, actor=actor, before_id=None, limit=ENTRIES
    )
    body = feed_document(competition, rows, base_url=app.settings.base_url)
    return Response(body, media_type=MEDIA_TYPE)


def feed_document(
    competition: Competition, rows: Sequence[Announcement], *, base_url: str
) -> bytes:
    """Writes the feed as UTF-8. Without a base URL its links are relative, as the format allows."""
    page = f"{base_url}/competitions/{competition.slug}"
    feed = ElementTree.Element("feed", {"xmlns": ATOM})
    _add(feed, "id", f"urn:uuid:{competition.id}")
    _add(feed, "title", f"{competition.title}: announcements")
    begun = competition.launched_at or competition.created_at
    _add(feed, "updated", _text(max((row.updated_at for row in rows), default=begun)))
    _add(_add(feed, "author"), "name", "The organizers")
    _add(feed, "link", rel="alternate", href=page)
    _add(feed, "link", rel="self", type="application/atom+xml", href=f"{page}/announcements.atom")
    for row in rows:
        entry = _add(feed, "entry")
        _add(entry, "id", f"urn:uuid:{row.id}")
        _add(entry, "title", row.title)
        _add(entry, "published", _text(row.created_at))
        _add(entry, "updated", _text(row.updated_at))
        _add(entry, "link", rel="alternate", href=f"{page}#announcement-{row.id}")
        _add(entry, "content", row.text, type="text")
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document


def _add(
    parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str
) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, tag, attributes)
    child.text = text
    return child


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
