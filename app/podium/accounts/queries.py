"""Queries of accounts, their tokens, identities and browser sessions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session, aliased, joinedload

from podium.accounts.rules import RequestState
from podium.core import locks
from podium.core.database.engine import WriteSession, lock_name
from podium.core.database.reading import count_where, oldest_first
from podium.core.models import (
    AccessLink,
    AccessToken,
    Competition,
    Job,
    JoinRequest,
    MailLink,
    Membership,
    OrganizerRole,
    PageSession,
    ProvidedIdentity,
    QuotaSlot,
    RulesAcceptance,
    SignUpRequest,
    Submission,
    Team,
    Upload,
    User,
)
from podium.core.names import NAMELESS_FILE


def token_by_sha256(session: Session, sha256: str) -> AccessToken | None:
    """Finds the token with this hash, with its person."""
    query = select(AccessToken).where(AccessToken.sha256 == sha256)
    return session.scalar(query.options(joinedload(AccessToken.user)))


def administrator(session: Session) -> User | None:
    """Finds the first administrator of the installation."""
    return session.scalar(select(User).where(User.is_administrator).order_by(User.id).limit(1))


def administrators(session: Session) -> int:
    """Counts the accounts that administer the installation: the last one must stay."""
    return count_where(session, User.is_administrator)


def user_with_key(session: Session, key: str) -> User | None:
    """Finds the person with this name key."""
    return session.scalar(select(User).where(User.name_key == key))


def looks_like_another(session: WriteSession, look: str, *, but: str | None = None) -> bool:
    """True if another user's name looks like this; a transaction that checks the same look
    waits."""
    lock_name(session, f"user {look}")
    query = select(User.id).where(User.look == look).limit(1)
    if but is not None:
        query = query.where(User.id != but)
    return session.scalar(query) is not None


def users_named(
    session: Session, *, keys: Collection[str], looks: Collection[str]
) -> Sequence[User]:
    """Finds people whose names equal or resemble one of these."""
    query = select(User).where(User.name_key.in_(keys) | User.look.in_(looks))
    return session.scalars(query.order_by(User.id)).all()


def has_credentials(session: Session, user_id: str) -> bool:
    """True if a person has ever had a password, a token or an identity by which to sign in."""
    token = exists().where(AccessToken.user_id == user_id)
    identity = exists().where(ProvidedIdentity.user_id == user_id)
    password = exists().where(User.id == user_id, User.password_hash.is_not(None))
    return bool(session.scalar(select(token | identity | password)))


def living_tokens(session: Session, user_id: str) -> Sequence[AccessToken]:
    """Lists all tokens of a person that were not revoked."""
    query = select(AccessToken).where(
        AccessToken.user_id == user_id, AccessToken.revoked_at.is_(None)
    )
    return session.scalars(query).all()


def end_links(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Ends the links by or for a person. Users of a link lock it before the competition."""
    made = update(AccessLink).where(AccessLink.created_by == user_id)
    concerned = (AccessLink.created_by == user_id) | (AccessLink.user_id == user_id)
    locks.lock_links(session, concerned)
    session.execute(made.values(token_id=None))
    open_links = AccessLink.used_at.is_(None) & AccessLink.revoked_at.is_(None)
    session.execute(update(AccessLink).where(open_links, concerned).values(revoked_at=now))


def remove_credentials(session: WriteSession, *, user_id: str) -> None:
    """Removes a person's tokens, sessions, identities and organizers' rights."""
    session.execute(delete(PageSession).where(PageSession.user_id == user_id))
    session.execute(delete(ProvidedIdentity).where(ProvidedIdentity.user_id == user_id))
    session.execute(delete(AccessToken).where(AccessToken.user_id == user_id))
    session.execute(delete(OrganizerRole).where(OrganizerRole.user_id == user_id))
    session.execute(delete(SignUpRequest).where(SignUpRequest.user_id == user_id))
    session.execute(delete(JoinRequest).where(JoinRequest.user_id == user_id))
    session.execute(delete(MailLink).where(MailLink.user_id == user_id))


def end_uploads(session: WriteSession, *, user_id: str) -> None:
    """Frees the slots of a person's uploads under way: one that is about to become a submission
    does so before, or is refused."""
    slots = delete(QuotaSlot).where(QuotaSlot.user_id == user_id)
    session.execute(slots.where(QuotaSlot.submission_id.is_(None)))


def remove_traces(session: WriteSession, *, user_id: str) -> None:
    """Removes names and notes of a person's files, and their network addresses."""
    files = update(Submission).where(Submission.user_id == user_id)
    session.execute(files.values(filename=NAMELESS_FILE, note=""))
    uploads = update(Upload).where(Upload.user_id == user_id)
    session.execute(uploads.values(tus_metadata=None))
    accepted = update(RulesAcceptance).where(RulesAcceptance.user_id == user_id)
    session.execute(accepted.values(address=None))
    session.execute(update(Job).where(Job.created_by == user_id).values(address=None))


def requests_of(session: Session, *, user_id: str) -> Sequence[str]:
    """Lists the ids of the requests from which a person's account was created."""
    return session.scalars(select(SignUpRequest.id).where(SignUpRequest.user_id == user_id)).all()


def users_after(
    session: Session, after_id: str | None, *, text: str | None = None, limit: int
) -> Sequence[User]:
    """Lists people in the order of their creation; with `text`, those whose names contain it."""
    query = select(User)
    if text is not None:
        query = query.where(User.name.icontains(text, autoescape=True))
    return session.scalars(oldest_first(query, User.id, after_id, limit)).all()


def valid_token_count(session: Session, user_id: str) -> int:
    """Counts the tokens of a person that were not revoked."""
    return count_where(session, AccessToken.user_id == user_id, AccessToken.revoked_at.is_(None))


def tokens_after(
    session: Session, user_id: str, after_id: str | None, *, limit: int
) -> Sequence[AccessToken]:
    """Lists a page of the tokens that were not revoked, oldest first."""
    query = select(AccessToken).where(
        AccessToken.user_id == user_id, AccessToken.revoked_at.is_(None)
    )
    return session.scalars(oldest_first(query, AccessToken.id, after_id, limit)).all()


def tokens_labelled(
    session: Session, user_id: str, labels: Collection[str]
) -> Sequence[AccessToken]:
    """Lists the tokens of a person with one of these labels that were not revoked."""
    query = select(AccessToken).where(
        AccessToken.user_id == user_id,
        AccessToken.label.in_(labels),
        AccessToken.revoked_at.is_(None),
    )
    return session.scalars(query).all()


def organizes_any(session: Session, user_id: str) -> bool:
    """True if this person is an organizer of at least one competition."""
    query = select(OrganizerRole.competition_id).where(OrganizerRole.user_id == user_id).limit(1)
    return session.scalar(query) is not None


def teams_of(session: Session, user_id: str) -> Sequence[tuple[str, Team, bool]]:
    """Lists the teams of a person, each after its competition's slug; true with those that have the
    account's name and no other members."""
    other = aliased(Membership)
    is_shared = exists().where(other.team_id == Team.id, other.user_id != user_id)
    query = (
        select(Competition.slug, Team, (Team.name_key == User.name_key) & ~is_shared)
        .join(Membership, Membership.competition_id == Competition.id)
        .join(Team, Team.id == Membership.team_id)
        .join(User, User.id == Membership.user_id)
        .where(Membership.user_id == user_id, Competition.deleted_at.is_(None))
        .order_by(Competition.slug)
    )
    return [(slug, team, bool(is_namesake)) for slug, team, is_namesake in session.execute(query)]


def organized_by(session: Session, user_id: str) -> Sequence[str]:
    """Lists the slugs of the competitions that this person organizes."""
    query = (
        select(Competition.slug)
        .join(OrganizerRole, OrganizerRole.competition_id == Competition.id)
        .where(OrganizerRole.user_id == user_id, Competition.deleted_at.is_(None))
        .order_by(Competition.slug)
    )
    return session.scalars(query).all()


def move(session: WriteSession, *, old_id: str, new_id: str) -> None:
    """Changes the parent of everything that came of one token to another token."""
    tokens: Any = update(AccessToken).where(AccessToken.parent_id == old_id)
    session.execute(tokens.where(AccessToken.id != new_id).values(parent_id=new_id))
    for table in (PageSession, ProvidedIdentity, AccessLink):
        came: Any = update(table).where(table.token_id == old_id)
        session.execute(came.values(token_id=new_id))


def end_by(session: WriteSession, token_ids: Collection[str], *, latest: datetime) -> None:
    """Limits these tokens, and their browser sessions, to end at `latest`."""
    is_longer = AccessToken.expires_at.is_(None) | (AccessToken.expires_at > latest)
    tokens = update(AccessToken).where(AccessToken.id.in_(token_ids), is_longer)
    session.execute(tokens.values(expires_at=latest))
    browsers = update(PageSession).where(PageSession.token_id.in_(token_ids))
    session.execute(browsers.where(PageSession.expires_at > latest).values(expires_at=latest))


def end_links_of_tokens(
    session: WriteSession, token_ids: Collection[str], *, now: datetime
) -> None:
    """Ends the links that were created with one of these tokens and not used yet."""
    query = update(AccessLink).where(
        AccessLink.token_id.in_(token_ids),
        AccessLink.used_at.is_(None),
        AccessLink.revoked_at.is_(None),
    )
    session.execute(query.values(revoked_at=now))


def identity(session: Session, *, issuer: str, subject: str) -> ProvidedIdentity | None:
    """Finds the identity of this issuer and subject, with its account; None if it is not
    connected."""
    query = select(ProvidedIdentity).where(
        ProvidedIdentity.issuer == issuer, ProvidedIdentity.subject == subject
    )
    return session.scalar(query.options(joinedload(ProvidedIdentity.user)))


def any_of_tokens(session: Session, token_ids: Collection[str]) -> bool:
    """True if an identity was connected with one of these tokens."""
    query = select(ProvidedIdentity.subject).where(ProvidedIdentity.token_id.in_(token_ids))
    return session.scalar(query.limit(1)) is not None


def has_another(session: Session, *, user_id: str, but_of_tokens: Collection[str]) -> bool:
    """True if a person has an identity that was connected with none of these tokens."""
    query = select(ProvidedIdentity.subject).where(
        ProvidedIdentity.user_id == user_id,
        ProvidedIdentity.token_id.is_(None) | ProvidedIdentity.token_id.not_in(but_of_tokens),
    )
    return session.scalar(query.limit(1)) is not None


def remove_identities_of_tokens(session: WriteSession, token_ids: Collection[str]) -> None:
    """Removes the identities that were connected with one of these tokens."""
    query = delete(ProvidedIdentity).where(ProvidedIdentity.token_id.in_(token_ids))
    session.execute(query)


def session_by_sha256(session: Session, sha256: str) -> PageSession | None:
    """Finds the session whose cookie has this hash, with its person."""
    query = select(PageSession).where(PageSession.sha256 == sha256)
    return session.scalar(query.options(joinedload(PageSession.user)))


def living_sessions(
    session: Session, user_id: str, *, now: datetime, used_since: datetime
) -> Sequence[PageSession]:
    """Lists a person's valid sessions, most recently used first."""
    query = select(PageSession).where(
        PageSession.user_id == user_id,
        PageSession.revoked_at.is_(None),
        PageSession.expires_at > now,
        PageSession.last_used_at > used_since,
    )
    return session.scalars(
        query.order_by(PageSession.last_used_at.desc(), PageSession.id.desc())
    ).all()


def touch_session(
    session: WriteSession, session_id: str, *, now: datetime, address: str | None
) -> None:
    """Records the time and network address of a session's last use."""
    query = update(PageSession).where(PageSession.id == session_id)
    session.execute(query.values(last_used_at=now, address=address))


def end_sessions(
    session: WriteSession,
    *,
    user_id: str,
    now: datetime,
    since: datetime | None = None,
    but: str | None = None,
) -> None:
    """Ends all sessions of a person that began at `since` or later, except for the one with the id
    `but`."""
    query = update(PageSession).where(
        PageSession.user_id == user_id, PageSession.revoked_at.is_(None)
    )
    if since is not None:
        query = query.where(PageSession.created_at >= since)
    if but is not None:
        query = query.where(PageSession.id != but)
    session.execute(query.values(revoked_at=now))


def end_sessions_of_tokens(
    session: WriteSession, token_ids: Collection[str], *, now: datetime
) -> None:
    """Ends the sessions that end with one of these tokens."""
    query = update(PageSession).where(
        PageSession.token_id.in_(token_ids), PageSession.revoked_at.is_(None)
    )
    session.execute(query.values(revoked_at=now))


def remove_ended(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Deletes the rows of a person's sessions that have ended."""
    is_over = PageSession.revoked_at.is_not(None) | (PageSession.expires_at <= now)
    session.execute(delete(PageSession).where(PageSession.user_id == user_id, is_over))


def pending_requests(session: Session) -> int:
    """Counts the pending requests for an account."""
    return count_where(session, SignUpRequest.state == RequestState.PENDING)


def request_by_sha256(session: Session, sha256: str) -> SignUpRequest | None:
    """Finds the request whose secret address has this hash."""
    return session.scalar(select(SignUpRequest).where(SignUpRequest.sha256 == sha256))


def requests_after(
    session: Session, after_id: str | None, *, limit: int
) -> Sequence[SignUpRequest]:
    """Lists the pending requests, oldest first."""
    query = select(SignUpRequest).where(SignUpRequest.state == RequestState.PENDING)
    return session.scalars(oldest_first(query, SignUpRequest.id, after_id, limit)).all()


def user_with_mail(session: Session, key: str) -> User | None:
    """Finds the person who has proven this address."""
    return session.scalar(select(User).where(User.mail_key == key))


def mail_link(session: Session, sha256: str, *, now: datetime) -> MailLink | None:
    """Finds the link with this hash, unless it has expired."""
    query = select(MailLink).where(MailLink.sha256 == sha256, MailLink.expires_at > now)
    return session.scalar(query)


def remove_mail_links(session: WriteSession, *, kind: str, key: str) -> None:
    """Removes the links of one kind that were sent to an address."""
    session.execute(delete(MailLink).where(MailLink.kind == kind, MailLink.mail_key == key))


def remove_expired_mail_links(session: WriteSession, *, now: datetime) -> None:
    """Removes the expired links, with the addresses that they were sent to."""
    session.execute(delete(MailLink).where(MailLink.expires_at <= now))
