"""Questions about accounts at identity providers."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, joinedload

from podium.db.engine import WriteSession
from podium.db.models import ProvidedIdentity


def identity(session: Session, *, issuer: str, subject: str) -> ProvidedIdentity | None:
    """Whose account this is, with the person."""
    query = select(ProvidedIdentity).where(
        ProvidedIdentity.issuer == issuer, ProvidedIdentity.subject == subject
    )
    return session.scalar(query.options(joinedload(ProvidedIdentity.user)))


def any_of_tokens(session: Session, token_ids: Collection[str]) -> bool:
    """Whether an identity was connected with one of these tokens."""
    query = select(ProvidedIdentity.subject).where(ProvidedIdentity.token_id.in_(token_ids))
    return session.scalar(query.limit(1)) is not None


def has_another(session: Session, *, user_id: str, but_of_tokens: Collection[str]) -> bool:
    """Whether a person has an identity that was connected with none of these tokens."""
    query = select(ProvidedIdentity.subject).where(
        ProvidedIdentity.user_id == user_id,
        ProvidedIdentity.token_id.is_(None) | ProvidedIdentity.token_id.not_in(but_of_tokens),
    )
    return session.scalar(query.limit(1)) is not None


def remove_identities_of_tokens(session: WriteSession, token_ids: Collection[str]) -> None:
    """Forgets the identities that were connected with one of these tokens."""
    query = delete(ProvidedIdentity).where(ProvidedIdentity.token_id.in_(token_ids))
    session.execute(query)


def remove_identities(session: WriteSession, *, user_id: str) -> None:
    """Forgets the identities of a person who goes for good."""
    session.execute(delete(ProvidedIdentity).where(ProvidedIdentity.user_id == user_id))
