"""What remembers the token that it came from, as a whole."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import update

from podium.db.engine import WriteSession
from podium.db.models import AccessToken, OneTimeLink, PageSession, ProvidedIdentity


def move(session: WriteSession, *, old_id: str, new_id: str) -> None:
    """Has everything that came of one token come of another one."""
    tokens: Any = update(AccessToken).where(AccessToken.parent_id == old_id)
    session.execute(tokens.where(AccessToken.id != new_id).values(parent_id=new_id))
    for table in (PageSession, ProvidedIdentity, OneTimeLink):
        came: Any = update(table).where(table.token_id == old_id)
        session.execute(came.values(token_id=new_id))


def end_by(session: WriteSession, token_ids: Collection[str], *, latest: datetime) -> None:
    """Has these tokens, and the browsers that they signed in, end at `latest` or before."""
    is_longer = AccessToken.expires_at.is_(None) | (AccessToken.expires_at > latest)
    tokens = update(AccessToken).where(AccessToken.id.in_(token_ids), is_longer)
    session.execute(tokens.values(expires_at=latest))
    browsers = update(PageSession).where(PageSession.token_id.in_(token_ids))
    session.execute(browsers.where(PageSession.expires_at > latest).values(expires_at=latest))


def end_links_of_tokens(
    session: WriteSession, token_ids: Collection[str], *, now: datetime
) -> None:
    """Ends the links that were made by one of these tokens and not used yet."""
    query = update(OneTimeLink).where(
        OneTimeLink.token_id.in_(token_ids),
        OneTimeLink.used_at.is_(None),
        OneTimeLink.revoked_at.is_(None),
    )
    session.execute(query.values(revoked_at=now))
