"""Accounts, their access tokens and browser sessions, the links that create or restore them, and
requests for an account."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column, relationship

from podium.core.database.types import new_id
from podium.core.models.base import Base, Id, look_of_new_name


class User(Base):
    """A person. `name_key` is the name as it is compared (NFKC, case-folded), `look` its key for
    look-alikes; names from before that key existed may share one.

    `password_hash` is an Argon2 string, empty for those who use tokens only. `mail` is an address
    that the person has proven to read, None where it is unknown, and `mail_key` the same as it is
    compared. The row of a deleted account stays, without the person's name and address, because
    teams and submissions refer to it.
    """

    __tablename__ = "users"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    name: Mapped[str]
    name_key: Mapped[str] = mapped_column(unique=True)
    look: Mapped[str | None] = mapped_column(index=True, default=look_of_new_name)
    is_administrator: Mapped[bool] = mapped_column(default=False)
    is_organizer: Mapped[bool] = mapped_column(default=False)
    disabled_at: Mapped[datetime | None]
    deleted_at: Mapped[datetime | None]
    password_hash: Mapped[str | None]
    mail: Mapped[str | None]
    mail_key: Mapped[str | None] = mapped_column(unique=True, index=True)
    created_at: Mapped[datetime]


class AccessToken(Base):
    """A bearer token; only the SHA-256 (hex) of its 256 random bits is stored.

    It ends with the token that created it (`parent_id`), and so does the account's password with
    the token that set it (`set_password`).
    """

    __tablename__ = "access_tokens"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    label: Mapped[str]
    sha256: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    parent_id: Mapped[str | None] = mapped_column(ForeignKey("access_tokens.id"), index=True)
    set_password: Mapped[bool] = mapped_column(default=False)

    user: Mapped[User] = relationship()


class PageSession(Base):
    """A browser session; only the SHA-256 (hex) of the cookie's 256 random bits is stored.
    `browser` is the name that it sends, `address` its last one, `token_id` the token that it ends
    with."""

    __tablename__ = "page_sessions"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    sha256: Mapped[str] = mapped_column(unique=True)
    browser: Mapped[str]
    address: Mapped[str | None]
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    token_id: Mapped[str | None] = mapped_column(ForeignKey("access_tokens.id"), index=True)

    user: Mapped[User] = relationship()


class ProvidedIdentity(Base):
    """An account at an identity provider by which a user signs in here, until the token ends that
    connected it (`token_id`)."""

    __tablename__ = "provided_identities"

    issuer: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    created_at: Mapped[datetime]
    token_id: Mapped[str | None] = mapped_column(ForeignKey("access_tokens.id"), index=True)

    user: Mapped[User] = relationship()


class AccessLink(Base):
    """A link that lets people in, once for each of its seats: only the SHA-256 (hex) of its 256
    random bits is stored, and the `code` itself where it has several seats, so that it can be shown
    again. The table is named after the links of one seat, which were first.

    `kind` is `invite` (new users may sign up: as organizers of the installation or of
    `competition_id`, or into `team_id`), `reset` (`user_id` gets new credentials) or `first`
    (`user_id`, whom a roster created, gets the first ones). `used_at` is when the last seat was
    taken, `used_by` who took the only one. It ends with the token by which it was created
    (`token_id`).
    """

    __tablename__ = "one_time_links"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    kind: Mapped[str]
    sha256: Mapped[str] = mapped_column(unique=True)
    code: Mapped[str | None]
    seats: Mapped[int] = mapped_column(default=1)
    seats_taken: Mapped[int] = mapped_column(default=0)
    note: Mapped[str] = mapped_column(default="")
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    competition_id: Mapped[str | None] = mapped_column(ForeignKey("competitions.id"), index=True)
    team_id: Mapped[str | None] = mapped_column(ForeignKey("teams.id"), index=True)
    is_organizer: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id"), index=True)
    token_id: Mapped[str | None] = mapped_column(ForeignKey("access_tokens.id"), index=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    used_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    revoked_at: Mapped[datetime | None]


class SignUpRequest(Base):
    """A visitor's request for an account, with the name and the password (an Argon2 string) that it
    shall have. The person follows its state at a secret address, of which the SHA-256 (hex) is
    stored. The name is free until the request is approved, so others may ask for the same.

    `state` is `pending`, then `approved` (with the account, `user_id`) or `declined`.
    """

    __tablename__ = "sign_up_requests"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    sha256: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    password_hash: Mapped[str | None]
    state: Mapped[str] = mapped_column(index=True)
    address: Mapped[str | None]
    created_at: Mapped[datetime]
    decided_at: Mapped[datetime | None]
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("users.id"))
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)


class MailLink(Base):
    """A link that was sent by mail, and proves that its holder reads the mail of an address: only
    the SHA-256 (hex) of its 256 random bits is stored. The row is deleted when its link is used,
    and when it has expired.

    `kind` is `sign-up` (creates an account; `name` is the requested name, `next_address` the page
    to return to) or `reset` (`user_id` gets a new password).
    """

    __tablename__ = "mail_links"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    kind: Mapped[str]
    sha256: Mapped[str] = mapped_column(unique=True)
    mail: Mapped[str]
    mail_key: Mapped[str] = mapped_column(index=True)
    name: Mapped[str] = mapped_column(default="")
    next_address: Mapped[str] = mapped_column(default="/")
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
