"""Submissions, the uploads that they come from, fingerprints of their files, and keys that sign
receipts."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, Integer, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import new_id
from podium.core.models.base import Base, Disqualifiable, Id


class Submission(Disqualifiable, Base):
    """An immutable uploaded file with team, time and note.

    `sequence` is the order of acceptance and breaks ties of `submitted_at`, the moment at which
    the quota slot was reserved. The state that people see is that of `judging_id`, the effective
    judging; it changes only when a verdict or a rejudging is published.
    """

    __tablename__ = "submissions"
    __table_args__ = (
        Index("ix_submissions_team_sequence", "team_id", "sequence"),
        Index("ix_submissions_competition_sequence", "competition_id", "sequence"),
        Index("ix_submissions_competition_sha256", "competition_id", "sha256"),
        {"sqlite_autoincrement": True},
    )

    sequence: Mapped[int] = mapped_column(
        Integer().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    )
    id: Mapped[str] = mapped_column(Id, unique=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"))
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    filename: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    bytes: Mapped[int]
    sha256: Mapped[str]
    submitted_at: Mapped[datetime]
    judging_id: Mapped[str | None] = mapped_column(Id)
    is_selected: Mapped[bool] = mapped_column(default=False)
    is_late: Mapped[bool] = mapped_column(default=False, server_default="0")
    """Reserved after the close: scored, and never on a board."""
    identical_to: Mapped[str | None] = mapped_column(Id)
    is_held_back: Mapped[bool] = mapped_column(default=False, server_default="0")
    """The ladder found no significant improvement: the team does not see the score."""
    file_removed_at: Mapped[datetime | None]
    """From this moment on only the row exists; the file was removed by its age
    (`submissions.service.retention` has the rules)."""


class QuotaSlot(Base):
    """One of a team's submissions of a day (UTC): reserved before the first byte is read.

    The unique (team, day, number) rules out exceeding the limit on any database. A slot without
    `submission_id` belongs to an upload under way and lapses at `lapses_at`; deleting the row gives
    the slot back.
    """

    __tablename__ = "quota_slots"
    __table_args__ = (UniqueConstraint("team_id", "day", "number"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    day: Mapped[date] = mapped_column(Date)
    number: Mapped[int]
    reserved_at: Mapped[datetime]
    lapses_at: Mapped[datetime | None] = mapped_column(index=True)
    submission_id: Mapped[str | None] = mapped_column(Id, unique=True)
    is_late: Mapped[bool] = mapped_column(default=False, server_default="0")


class IdempotencyKey(Base):
    """A client's own name for one submission; scope: person and competition.

    `sha256` and `submission_id` are empty while the first request is still running; such a row
    lapses with its quota slot (`slot_id`).
    """

    __tablename__ = "idempotency_keys"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    slot_id: Mapped[str] = mapped_column(Id)
    sha256: Mapped[str | None]
    submission_id: Mapped[str | None] = mapped_column(Id)
    created_at: Mapped[datetime]


class Upload(Base):
    """A file that is being uploaded, of one person and not yet of a competition.

    `received` counts the bytes of its pieces. A request that appends or composes leases it: only
    the `holder` of a lease that has not lapsed at `held_until` changes anything, so that of several
    requests for one upload exactly one continues, and the lease of a dead process ends by itself.
    """

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    length: Mapped[int | None]
    """Bytes of the whole file, as soon as they are known."""
    max_bytes: Mapped[int]
    """The largest size that this person may upload to any competition, in bytes."""
    is_secret: Mapped[bool] = mapped_column(default=False, server_default="0")
    """True for an organizer's: it may become a ground truth, and its pieces lie apart."""
    received: Mapped[int] = mapped_column(default=0)
    holder: Mapped[str | None] = mapped_column(Id)
    held_until: Mapped[datetime | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    submission_id: Mapped[str | None] = mapped_column(Id)
    """The submission that was created from it; its pieces are removed then, and a repeated request
    gets the same submission."""
    file_area: Mapped[str | None]
    file_sha256: Mapped[str | None]
    """The organizer's file that was created from it, and where it is stored; its pieces are removed
    then, and a repeated request finds the file here until the upload expires."""
    tus_metadata: Mapped[str | None]
    """`Upload-Metadata` as the client sent it, which it may request later. It may contain the
    file's name."""


class UploadPiece(Base):
    """Bytes of an upload from `start` on, in a stored file of their own.

    The file begins with random bytes that belong to no upload, so that no two pieces share a file
    and each can be removed with its row, whatever others send meanwhile.
    """

    __tablename__ = "upload_pieces"

    upload_id: Mapped[str] = mapped_column(ForeignKey("uploads.id"), primary_key=True)
    start: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    bytes: Mapped[int]
    sha256: Mapped[str]


class SigningKey(Base):
    """An Ed25519 key pair, both halves as hex. The newest one that is not retired signs; the public
    halves of all others stay, because what they have signed stays valid."""

    __tablename__ = "signing_keys"

    id: Mapped[str] = mapped_column(primary_key=True)
    public_key: Mapped[str]
    private_key: Mapped[str | None]
    """Removed when the key is retired."""
    created_at: Mapped[datetime]
    retired_at: Mapped[datetime | None]


class Fingerprint(Base):
    """A summary of a scored file's predictions, in a few thousand bytes: see
    `scoring.fingerprint`.

    `content` is equal where every list is. Fingerprints of different `scheme` cannot be compared.
    For organizers only.
    """

    __tablename__ = "fingerprints"
    __table_args__ = (Index("ix_fingerprints_competition_content", "competition_id", "content"),)

    submission_id: Mapped[str] = mapped_column(Id, ForeignKey("submissions.id"), primary_key=True)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"))
    scheme: Mapped[str]
    content: Mapped[str]
    sketch: Mapped[bytes] = mapped_column(LargeBinary)
