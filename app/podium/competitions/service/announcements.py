"""Announcements to all who may see a competition; by organizers, or by the service itself, such as
after a rejudging."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from podium.competitions import queries
from podium.core import audit, locks
from podium.core.access import Actor, competition_for_organizer, competition_for_reader
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Announcement, Competition
from podium.errors import NotFound


def announce(
    session: WriteSession,
    *,
    competition: Competition,
    title: str,
    text: str,
    actor: Actor | None = None,
) -> Announcement:
    """Publishes an announcement in the caller's transaction; no actor means the service itself.

    The caller has checked that the actor may, and that the texts are `Title` and
    `AnnouncementText` of `core/competition_settings/texts.py`.
    """
    now = database_now(session)
    row = Announcement(
        competition_id=competition.id,
        title=title,
        text=text,
        created_at=now,
        created_by=actor.user_id if actor else None,
        updated_at=now,
    )
    session.add(row)
    session.flush()
    _record(session, actor, row, "announcement.create")
    return row


def create_announcement(
    session: WriteSession, *, slug: str, actor: Actor, title: str, text: str
) -> Announcement:
    """Publishes an announcement at once. Raises `NotFound` for all but organizers."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    competition = locks.lock_acts(session, competition_id=competition.id)
    return announce(session, competition=competition, title=title, text=text, actor=actor)


def change_announcement(
    session: WriteSession,
    *,
    slug: str,
    actor: Actor,
    announcement_id: str,
    title: str | None = None,
    text: str | None = None,
) -> Announcement:
    """Changes the given members, visibly: `updated_at` changes. Raises `NotFound`."""
    row = _of_organizer(session, slug, actor, announcement_id)
    row.title = row.title if title is None else title
    row.text = row.text if text is None else text
    row.updated_at = database_now(session)
    session.flush()
    _record(session, actor, row, "announcement.change")
    return row


def delete_announcement(
    session: WriteSession, *, slug: str, actor: Actor, announcement_id: str
) -> None:
    """Deletes an announcement; its text stays in the audit log. Raises `NotFound`."""
    row = _of_organizer(session, slug, actor, announcement_id)
    _record(session, actor, row, "announcement.delete")
    session.delete(row)


def list_announcements(
    session: Session, *, slug: str, actor: Actor | None, before_id: str | None, limit: int
) -> tuple[Competition, Sequence[Announcement]]:
    """Lists a page of the announcements of a competition, newest first, with the competition.
    Raises `NotFound` if the caller may not see it."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    found = announcements_of(
        session, competition_id=competition.id, before_id=before_id, limit=limit
    )
    return competition, found


def announcements_of(
    session: Session, *, competition_id: str, before_id: str | None, limit: int
) -> Sequence[Announcement]:
    """Lists a page of a competition's announcements, newest first, without a check of
    permissions."""
    return queries.announcements_before(
        session, competition_id=competition_id, before_id=before_id, limit=limit
    )


def _of_organizer(
    session: WriteSession, slug: str, actor: Actor, announcement_id: str
) -> Announcement:
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    row = queries.announcement_in(
        session, competition_id=competition.id, announcement_id=announcement_id
    )
    if row is None:
        raise NotFound("This competition has no announcement with this id.")
    return row


def _record(session: WriteSession, actor: Actor | None, row: Announcement, action: str) -> None:
    audit.record(session, actor, action, row, title=row.title, text=row.text)
