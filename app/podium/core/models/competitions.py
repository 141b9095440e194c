"""Competitions, their organizers, announcements and acceptances of rules, and the files about their
test sets."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from podium.core.database.types import JsonObject, new_id
from podium.core.models.base import Base, Id


class Competition(Base):
    """A competition and its state.

    `settings` is the validated settings document of the HTTP contract without slug, title,
    description and dates, which have columns. `version` counts changes of what an organizer set
    (`If-Match`), `board_version` changes of the public board (`ETag`). The actions of its life are
    moments: `launched_at`, `frozen_at`, `closed_at`, `revealed_at`. From `deleted_at` on it is
    hidden from all users, its slug is free for another one, and the worker removes its rows, this
    one last.
    """

    __tablename__ = "competitions"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    slug: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    settings: Mapped[JsonObject]
    visibility: Mapped[str] = mapped_column(default="public")
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    launched_at: Mapped[datetime | None]
    frozen_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]
    revealed_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    version: Mapped[int] = mapped_column(default=1)
    board_version: Mapped[int] = mapped_column(default=0)
    board_updated_at: Mapped[datetime | None]
    active_ground_truth: Mapped[int | None]
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))


class CompetitionSecret(Base):
    """Keys that are never part of a response: the split key (hex) divides sessions into public and
    private."""

    __tablename__ = "competition_secrets"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    split_key: Mapped[str]


class OrganizerRole(Base):
    """The role of a person who may organize one competition."""

    __tablename__ = "organizers"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    added_at: Mapped[datetime]


class FormerOrganizer(Base):
    """A former organizer of a competition, who may have seen hidden data of it."""

    __tablename__ = "former_organizers"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    removed_at: Mapped[datetime]


class PublishedIdList(Base):
    """The sessions of the test set, as canonical Parquet in the store; frozen at launch."""

    __tablename__ = "published_id_lists"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    sha256: Mapped[str]
    sessions: Mapped[int]
    source: Mapped[str]
    """`list` where the organizer uploaded it, `ground-truth` where its first version implied it."""
    created_at: Mapped[datetime]


class GroundTruthVersion(Base):
    """One immutable version of the hidden answers: numbered from 1 within its competition.

    `status` is `checking` until the sandbox has read the upload, then `stored` or `rejected`
    (`problem` has the reason). `sha256` is that of the canonical Parquet, `upload_sha256` of the
    uploaded bytes. `preparation` describes the requested split of raw sessions; other forms of
    ground truth have none. `parts` are the SHA-256 of the files of a table's solution by split, one
    of which a run of a custom metric gets.
    """

    __tablename__ = "ground_truth_versions"
    __table_args__ = (UniqueConstraint("competition_id", "version"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    version: Mapped[int | None]
    status: Mapped[str]
    upload_sha256: Mapped[str]
    upload_bytes: Mapped[int]
    preparation: Mapped[JsonObject | None]
    sha256: Mapped[str | None]
    parts: Mapped[JsonObject | None]
    summary: Mapped[JsonObject | None]
    problem: Mapped[JsonObject | None]
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))


class StoredItemFile(Base):
    """The item file of a competition, as canonical Parquet in the store; at most one, fixed at
    launch.

    `sha256` is that of the canonical Parquet, `upload_sha256` of the uploaded bytes. `summary`
    counts its contents.
    """

    __tablename__ = "item_files"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    sha256: Mapped[str]
    upload_sha256: Mapped[str]
    upload_bytes: Mapped[int]
    summary: Mapped[JsonObject]
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))


class DataFile(Base):
    """A file that participants can download."""

    __tablename__ = "data_files"
    __table_args__ = (UniqueConstraint("competition_id", "name"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"))
    name: Mapped[str]
    bytes: Mapped[int]
    sha256: Mapped[str]
    created_at: Mapped[datetime]


class Announcement(Base):
    """A text of the organizers for everyone who sees the competition; `created_by` is empty for
    announcements of the service itself. `text` is Markdown."""

    __tablename__ = "announcements"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), index=True)
    title: Mapped[str]
    text: Mapped[str]
    created_at: Mapped[datetime]
    created_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    updated_at: Mapped[datetime]


class RulesAcceptance(Base):
    """A user's acceptance of the rules whose text has this SHA-256 (hex of its UTF-8)."""

    __tablename__ = "rules_acceptances"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    sha256: Mapped[str] = mapped_column(primary_key=True)
    accepted_at: Mapped[datetime]
    address: Mapped[str | None]


class StoredSessionFile(Base):
    """Columns by published session, as canonical Parquet in the store; at most one of a
    competition. Scores are broken down by it, and no verdict depends on it.

    `sha256` is that of the canonical Parquet, `upload_sha256` of the uploaded bytes.
    """

    __tablename__ = "session_files"

    competition_id: Mapped[str] = mapped_column(ForeignKey("competitions.id"), primary_key=True)
    sha256: Mapped[str]
    upload_sha256: Mapped[str]
    upload_bytes: Mapped[int]
    columns: Mapped[list[str]]
    sessions: Mapped[int]
    """The number of sessions that the file describes."""
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"))
