"""The rules of a competition, and users' acceptances of each version of their text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from podium.competitions import queries
from podium.core import audit
from podium.core.access import Actor, competition_for_entrant, competition_for_organizer, organizes
from podium.core.configuration import settings_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, RulesAcceptance, User
from podium.errors import NotAllowed, NotFound, WrongState
from podium.errors.codes import ErrorCode


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules as they are now; `accepted_at` is when the reader accepted exactly this text."""

    text: str
    sha256: str
    accepted_at: datetime | None


def sha256_of_rules(text: str) -> str:
    """Hashes a text of rules: the SHA-256 of its UTF-8, as hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def describe_rules(session: Session, *, slug: str, actor: Actor | None) -> RulesView:
    """Describes the current rules. Raises `NotFound` (`no-rules` where there are none)."""
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    return _view(session, competition, actor)


def accept_rules(
    session: WriteSession, *, slug: str, actor: Actor, sha256: str | None
) -> RulesView:
    """Accepts the current rules; a repeated call changes nothing.

    `sha256` identifies the text that was read. Raises `NotFound` (`no-rules`) and `WrongState`
    (`rules-changed`) where the text has changed since.
    """
    competition = competition_for_entrant(session, slug=slug, actor=actor)
    view = _view(session, competition, actor)
    if sha256 is not None and sha256.lower() != view.sha256:
        raise WrongState("The rules have changed. Read them again.", code=ErrorCode.RULES_CHANGED)
    _accept(session, competition, actor, view.sha256)
    return _view(session, competition, actor)


def require_accepted(
    session: WriteSession, *, competition: Competition, actor: Actor, accepts: bool = False
) -> None:
    """Raises `NotAllowed` (`rules-not-accepted`) unless the actor has accepted the current text, or
    does so now. Organizers are exempt, and so is everyone where there are no rules."""
    text = settings_of(competition).rules
    if not text:
        return
    sha256 = sha256_of_rules(text)
    if accepts:
        _accept(session, competition, actor, sha256)
        return
    if _acceptance(session, competition, actor, sha256) is not None:
        return
    if organizes(session, competition, actor):
        return
    # A user who joins a private competition by a code cannot read its rules anywhere else yet.
    raise NotAllowed(
        "Accept the rules of this competition first. They are on its page “Rules”.",
        code=ErrorCode.RULES_NOT_ACCEPTED,
        address=f"/api/v1/competitions/{competition.slug}/rules/acceptance",
        rules=text,
        rules_sha256=sha256,
    )


def list_acceptances(
    session: ReadSession,
    *,
    slug: str,
    actor: Actor,
    after: tuple[datetime, str, str] | None,
    limit: int,
) -> Sequence[tuple[RulesAcceptance, User]]:
    """Lists the acceptances of rules, oldest first, for organizers."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    return queries.acceptances_after(
        session, competition_id=competition.id, after=after, limit=limit
    )


def _view(session: Session, competition: Competition, actor: Actor | None) -> RulesView:
    text = settings_of(competition).rules
    if not text:
        raise NotFound("This competition has no rules of its own.", code=ErrorCode.NO_RULES)
    sha256 = sha256_of_rules(text)
    row = None if actor is None else _acceptance(session, competition, actor, sha256)
    return RulesView(text, sha256, None if row is None else row.accepted_at)


def _acceptance(
    session: Session, competition: Competition, actor: Actor, sha256: str
) -> RulesAcceptance | None:
    return session.get(RulesAcceptance, (competition.id, actor.user_id, sha256))


def _accept(session: WriteSession, competition: Competition, actor: Actor, sha256: str) -> None:
    if not queries.insert_acceptance(
        session,
        competition_id=competition.id,
        user_id=actor.user_id,
        sha256=sha256,
        accepted_at=database_now(session),
        address=actor.address,
    ):
        return
    audit.record(
        session,
        actor,
        "rules.accept",
        competition_id=competition.id,
        object_id=actor.user_id,
        sha256=sha256,
    )
