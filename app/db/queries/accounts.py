"""Questions about people, their tokens, and the end of both."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session, joinedload

from podium.db.engine import WriteSession, lock_name
from podium.db.models import (
    AccessToken,
    Competition,
    Membership,
    OneTimeLink,
    Organizer,
    Team,
    User,
)


def token_by_sha256(session: Session, sha256: str) -> AccessToken | None:
    """The token with this hash, with its person."""
    query = select(AccessToken).where(AccessToken.sha256 == sha256)
    return session.scalar(query.options(joinedload(AccessToken.user)))


def administrator(session: Session) -> User | None:
    """The first administrator of the installation."""
    return session.scalar(select(User).where(User.is_administrator).order_by(User.id).limit(1))


def administrators(session: Session) -> int:
    """How many administrators there are."""
    query = select(func.count()).select_from(User).where(User.is_administrator)
    return session.scalar(query) or 0


def user_with_key(session: Session, key: str) -> User | None:
    """The person whose name reads like this."""
    return session.scalar(select(User).where(User.name_key == key))


def looks_like_another(session: WriteSession, look: str, *, but: str | None = None) -> bool:
    """Whether somebody else's name looks like this; whoever asks for the same look waits."""
    lock_name(session, f"user {look}")
    query = select(User.id).where(User.look == look).limit(1)
    if but is not None:
        query = query.where(User.id != but)
    return session.scalar(query) is not None


def living_tokens(session: Session, user_id: str) -> Sequence[AccessToken]:
    """All tokens of a person that were not revoked."""
    query = select(AccessToken).where(
        AccessToken.user_id == user_id, AccessToken.revoked_at.is_(None)
    )
    return session.scalars(query).all()


def remove_credentials(session: WriteSession, *, user_id: str, now: datetime) -> None:
    """Removes a person's tokens and organizers' rights, and ends the links made by or for them."""
    made = update(OneTimeLink).where(OneTimeLink.created_by == user_id)
    session.execute(made.values(token_id=None))
    session.execute(delete(AccessToken).where(AccessToken.user_id == user_id))
    session.execute(delete(Organizer).where(Organizer.user_id == user_id))
    open_links = OneTimeLink.used_at.is_(None) & OneTimeLink.revoked_at.is_(None)
    theirs = (OneTimeLink.created_by == user_id) | (OneTimeLink.user_id == user_id)
    session.execute(update(OneTimeLink).where(open_links, theirs).values(revoked_at=now))


def users_after(
    session: Session, after_id: str | None, *, text: str | None = None, limit: int
) -> Sequence[User]:
    """People in the order of their creation; with `text`, those who have it in their name."""
    query = select(User).order_by(User.id).limit(limit)
    if text is not None:
        query = query.where(User.name.icontains(text, autoescape=True))
    if after_id is not None:
        query = query.where(User.id > after_id)
    return session.scalars(query).all()


def valid_token_count(session: Session, user_id: str) -> int:
    """How many tokens of a person were not revoked."""
    query = select(func.count()).where(
        AccessToken.user_id == user_id, AccessToken.revoked_at.is_(None)
    )
    return session.scalar(query) or 0


def tokens_after(
    session: Session, user_id: str, after_id: str | None, *, limit: int
) -> Sequence[AccessToken]:
    """A page of the tokens that were not revoked, oldest first."""
    query = select(AccessToken).where(
        AccessToken.user_id == user_id, AccessToken.revoked_at.is_(None)
    )
    if after_id is not None:
        query = query.where(AccessToken.id > after_id)
    return session.scalars(query.order_by(AccessToken.id).limit(limit)).all()


def tokens_labelled(session: Session, user_id: str, label: str) -> Sequence[AccessToken]:
    """Tokens of a person with this label that were not revoked."""
    query = select(AccessToken).where(
        AccessToken.user_id == user_id,
        AccessToken.label == label,
        AccessToken.revoked_at.is_(None),
    )
    return session.scalars(query).all()


def organizes_any(session: Session, user_id: str) -> bool:
    """Whether this person is an organizer of at least one competition."""
    query = select(Organizer.competition_id).where(Organizer.user_id == user_id).limit(1)
    return session.scalar(query) is not None


def teams_of(session: Session, user_id: str) -> Sequence[tuple[str, str, str]]:
    """(competition's slug, team id, team name) of every team that this person is in."""
    query = (
        select(Competition.slug, Team.id, Team.name)
        .join(Membership, Membership.competition_id == Competition.id)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.user_id == user_id)
        .order_by(Competition.slug)
    )
    return [(slug, team_id, name) for slug, team_id, name in session.execute(query)]


def organized_by(session: Session, user_id: str) -> Sequence[str]:
    """Slugs of the competitions that this person organizes."""
    query = (
        select(Competition.slug)
        .join(Organizer, Organizer.competition_id == Competition.id)
        .where(Organizer.user_id == user_id)
        .order_by(Competition.slug)
    )
    return session.scalars(query).all()
