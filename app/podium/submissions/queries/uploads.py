"""Questions about resumable uploads and their pieces."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, exists, or_, select
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.reading import count_where
from podium.core.leases import is_lapsed
from podium.core.models import (
    Competition,
    Membership,
    OrganizerRole,
    Submission,
    Upload,
    UploadPiece,
)


def find(session: Session, *, upload_id: str, user_id: str, now: datetime) -> Upload | None:
    """An upload of this person that has not expired."""
    query = select(Upload).where(
        Upload.id == upload_id, Upload.user_id == user_id, Upload.expires_at > now
    )
    return session.scalar(query)


def locked(session: WriteSession, *, upload_id: str, user_id: str) -> Upload | None:
    """An upload of this person as it is now, expired or not, locked against other writers until the
    commit."""
    query = (
        select(Upload)
        .where(Upload.id == upload_id, Upload.user_id == user_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return session.scalar(query)


def held(
    session: Session, *, upload_id: str, holder: str, for_update: bool = True
) -> Upload | None:
    """The upload, if it is still held by this holder; locked where it is to be changed."""
    query = select(Upload).where(Upload.id == upload_id, Upload.holder == holder)
    if for_update:
        query = query.with_for_update().execution_options(populate_existing=True)
    return session.scalar(query)


def unfinished(
    session: Session, *, user_id: str, now: datetime, for_update: bool = False
) -> Sequence[Upload]:
    """A person's uploads that no file was made of yet, oldest first; locked where some of them are
    to be ended."""
    query = (
        select(Upload)
        .where(Upload.user_id == user_id, ~_is_used(), Upload.expires_at > now)
        .order_by(Upload.created_at, Upload.id)
    )
    if for_update:
        query = query.with_for_update().execution_options(populate_existing=True)
    return session.scalars(query).all()


def competitions_of_teams(session: Session, *, user_id: str) -> Sequence[Competition]:
    """Competitions that this person is in a team of."""
    is_member = exists().where(
        Membership.competition_id == Competition.id, Membership.user_id == user_id
    )
    return session.scalars(select(Competition).where(is_member)).all()


def organizes(session: Session, *, user_id: str) -> bool:
    """True if this person organizes a competition."""
    query = select(exists().where(OrganizerRole.user_id == user_id))
    return bool(session.scalar(query))


def is_secret(session: Session, *, upload_id: str) -> bool | None:
    """True if an organizer has made the upload; None where it is gone."""
    return session.scalar(select(Upload.is_secret).where(Upload.id == upload_id))


def pieces(session: Session, *, upload_id: str) -> Sequence[UploadPiece]:
    """The pieces of an upload in their order."""
    query = (
        select(UploadPiece).where(UploadPiece.upload_id == upload_id).order_by(UploadPiece.start)
    )
    return session.scalars(query).all()


def piece_count(session: Session, *, upload_id: str) -> int:
    """The number of pieces of an upload."""
    return count_where(session, UploadPiece.upload_id == upload_id)


def pieces_from(session: Session, *, upload_id: str, start: int) -> Sequence[UploadPiece]:
    """The pieces that begin at `start` or later."""
    query = select(UploadPiece).where(
        UploadPiece.upload_id == upload_id, UploadPiece.start >= start
    )
    return session.scalars(query).all()


def delete_pieces(session: WriteSession, *, upload_id: str, hashes: Sequence[str]) -> None:
    """Forgets pieces whose files are gone."""
    session.execute(
        delete(UploadPiece).where(
            UploadPiece.upload_id == upload_id, UploadPiece.sha256.in_(hashes)
        )
    )


def ended(session: Session, *, now: datetime, limit: int) -> Sequence[str]:
    """Uploads of which something has to be removed: those that expired and have no lease, and those
    with pieces although they became a file."""
    is_free = or_(Upload.held_until.is_(None), is_lapsed(Upload.held_until, now=now))
    has_pieces = exists().where(UploadPiece.upload_id == Upload.id)
    query = (
        select(Upload.id)
        .where(
            or_(
                and_(Upload.expires_at <= now, is_free),
                and_(_is_used(), has_pieces),
            )
        )
        .order_by(Upload.id)
        .limit(limit)
    )
    return session.scalars(query).all()


def delete_expired(session: WriteSession, *, upload_id: str, now: datetime) -> None:
    """Removes the row of an expired upload once it has no pieces."""
    has_pieces = exists().where(UploadPiece.upload_id == Upload.id)
    session.execute(
        delete(Upload).where(Upload.id == upload_id, Upload.expires_at <= now, ~has_pieces)
    )


def _is_used() -> ColumnElement[bool]:
    return or_(Upload.submission_id.is_not(None), Upload.file_sha256.is_not(None))


def bytes_of_unfinished(uploads: Sequence[Upload]) -> int:
    """The largest size of these uploads in bytes: their whole length, or the most where it is
    unknown."""
    return sum(one.max_bytes if one.length is None else one.length for one in uploads)


def slug_of_submission(session: Session, *, submission_id: str) -> str | None:
    """The competition that a submission was sent to."""
    query = (
        select(Competition.slug)
        .join(Submission, Submission.competition_id == Competition.id)
        .where(Submission.id == submission_id, Competition.deleted_at.is_(None))
    )
    return session.scalar(query)
