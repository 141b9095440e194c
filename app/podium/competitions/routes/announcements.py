"""Routes of announcements: read by all who see the competition, written by its organizers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from podium.accounts.authentication.callers import MaybeActor, SignedIn
from podium.competitions.schemas.texts import AnnouncementOut
from podium.competitions.service import announcements
from podium.core.competition_settings.texts import AnnouncementText, Title
from podium.http.paging import Listed, Paging
from podium.http.schemas import Input, example
from podium.http.streaming.strict_json import strict_router, takes_long_json
from podium.http.transactions import Reading, Writing

router = strict_router(tag="announcements")


class NewAnnouncement(Input):
    """An announcement to everybody who can see the competition."""

    title: Annotated[Title, Field(examples=["Scores have changed"])]
    """The headline: one line, up to 200 characters."""
    text: Annotated[AnnouncementText, Field(examples=["Session 12 had a wrong label."])]
    """The text as Markdown, up to 20,000 characters."""


class AnnouncementChanges(Input):
    """Keys you include are changed; the rest stay as they are."""

    model_config = example(title="Scores have changed")

    title: Title | None = None
    """The headline from now on."""
    text: AnnouncementText | None = None
    """The Markdown text from now on."""


@router.get(
    "/competitions/{slug}/announcements",
    operation_id="listAnnouncements",
    summary="What the organizers say",
)
def get_announcements(
    slug: str, actor: MaybeActor, session: Reading, page: Paging
) -> Listed[AnnouncementOut]:
    """Newest first. As a feed: `/competitions/{slug}/announcements.atom`."""
    _, rows = announcements.list_announcements(
        session, slug=slug, actor=actor, before_id=page.after_text, limit=page.fetch
    )
    return page.listed(rows, key=lambda row: (row.id,), show=AnnouncementOut.of)


@router.post(
    "/admin/competitions/{slug}/announcements",
    operation_id="createAnnouncement",
    summary="Tell everybody something",
    status_code=201,
)
@takes_long_json
def post_announcement(
    slug: str, body: NewAnnouncement, actor: SignedIn, session: Writing
) -> AnnouncementOut:
    """It is on the page, in the API and in the feed at once."""
    row = announcements.create_announcement(
        session, slug=slug, actor=actor, title=body.title, text=body.text
    )
    return AnnouncementOut.of(row)


@router.patch(
    "/admin/competitions/{slug}/announcements/{announcement_id}",
    operation_id="changeAnnouncement",
    summary="Change an announcement",
)
@takes_long_json
def patch_announcement(
    slug: str, announcement_id: str, body: AnnouncementChanges, actor: SignedIn, session: Writing
) -> AnnouncementOut:
    """Readers see that and when it was changed."""
    row = announcements.change_announcement(
        session,
        slug=slug,
        actor=actor,
        announcement_id=announcement_id,
        title=body.title,
        text=body.text,
    )
    return AnnouncementOut.of(row)


@router.delete(
    "/admin/competitions/{slug}/announcements/{announcement_id}",
    operation_id="deleteAnnouncement",
    summary="Take an announcement back",
    status_code=204,
)
def delete_announcement(slug: str, announcement_id: str, actor: SignedIn, session: Writing) -> None:
    """Its text stays in the audit log."""
    announcements.delete_announcement(
        session, slug=slug, actor=actor, announcement_id=announcement_id
    )
