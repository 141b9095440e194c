"""The audit log: who did what, when and from where; written with each action, read by filters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from podium.core.access import Actor, competition_for_organizer
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.database.reading import newest_first
from podium.core.database.types import JsonObject
from podium.core.models import AuditEntry, Competition
from podium.core.names import name_key
from podium.errors import NotAllowed


class _RowOfCompetition(Protocol):
    """A row that belongs to a competition, if to any."""

    @property
    def id(self) -> str: ...

    @property
    def competition_id(self) -> str | None: ...


def record(
    session: WriteSession,
    actor: Actor | None,
    action: str,
    about: Competition | _RowOfCompetition | None = None,
    /,
    *,
    competition_id: str | None = None,
    object_id: str | None = None,
    **facts: Any,
) -> None:
    """Appends an entry in the caller's transaction; no actor means the system itself. `about` is a
    competition, or a row of one."""
    if isinstance(about, Competition):
        competition_id = about.id
    elif about is not None:
        competition_id, object_id = about.competition_id, about.id
    session.add(
        AuditEntry(
            at=database_now(session),
            actor_id=actor.user_id if actor else None,
            actor_name=actor.name if actor else "system",
            action=action,
            competition_id=competition_id,
            object_id=object_id,
            address=actor.address if actor else None,
            facts=facts,
        )
    )


def forget(
    session: WriteSession,
    *,
    user_id: str,
    request_ids: Collection[str],
    team_ids: Collection[str],
    former_key: str,
    name: str,
) -> None:
    """Anonymizes a deleted person in the log: `name` replaces theirs, former ones included, and
    labels of tokens and addresses are cleared. All entries stay, and so does the id.

    `request_ids` are the requests that the account was created from, `team_ids` the teams that had
    its name, whose key was `former_key`. The name is also replaced where the person gave it to a
    team. No other function changes an entry.
    """
    mine = update(AuditEntry).where(AuditEntry.actor_id == user_id)
    session.execute(mine.values(actor_name=name, address=None))
    is_token = (AuditEntry.actor_id == user_id) & AuditEntry.action.startswith("token.")
    is_about = AuditEntry.object_id.in_((user_id, *request_ids))
    for entry in session.scalars(select(AuditEntry).where(is_token | is_about)):
        entry.facts = _without_person(entry.facts, name)
    named = (AuditEntry.actor_id == user_id) & AuditEntry.action.startswith("team.")
    is_of_team = AuditEntry.object_id.in_(team_ids)
    for entry in session.scalars(select(AuditEntry).where(named | is_of_team)):
        entry.facts = _renamed(entry.facts, former_key, name)


def _renamed(facts: JsonObject, former_key: str, name: str) -> JsonObject:
    """Replaces, at any depth, each text whose name key is `former_key`."""
    left: JsonObject = {}
    for key, value in facts.items():
        if isinstance(value, dict):
            left[key] = _renamed(value, former_key, name)
        else:
            is_former = isinstance(value, str) and name_key(value) == former_key
            left[key] = name if is_former else value
    return left


def _without_person(facts: JsonObject, name: str) -> JsonObject:
    """Anonymizes the facts of an entry about a person or one of their tokens."""
    instead = {"name": name, "label": ""}
    left: JsonObject = {key: instead.get(key, value) for key, value in facts.items()}
    if "name" in left.get("changes", {}):
        left["changes"] = {**left["changes"], "name": name}
    return left


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """A filter of audit entries; None matches any. `action` is a prefix, `actor` an id or the whole
    name at that time; `since` is inclusive, `until` is exclusive."""

    competition_id: str | None = None
    action: str | None = None
    actor: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def entries(
    session: Session, *, wanted: AuditFilter, before_id: str | None, limit: int
) -> Sequence[tuple[AuditEntry, str | None]]:
    """Lists a page of the audit log with the competitions' slugs, newest first."""
    query = select(AuditEntry, Competition.slug).outerjoin(
        Competition,
        (Competition.id == AuditEntry.competition_id) & Competition.deleted_at.is_(None),
    )
    if wanted.competition_id is not None:
        query = query.where(AuditEntry.competition_id == wanted.competition_id)
    if wanted.action is not None:
        query = query.where(AuditEntry.action.startswith(wanted.action, autoescape=True))
    if wanted.actor is not None:
        query = query.where(
            (AuditEntry.actor_id == wanted.actor) | (AuditEntry.actor_name == wanted.actor)
        )
    if wanted.since is not None:
        query = query.where(AuditEntry.at >= wanted.since)
    if wanted.until is not None:
        query = query.where(AuditEntry.at < wanted.until)
    page = newest_first(query, AuditEntry.id, before_id, limit)
    return [(entry, slug) for entry, slug in session.execute(page)]


def list_entries(
    session: ReadSession,
    *,
    actor: Actor,
    slug: str | None,
    wanted: AuditFilter,
    before_id: str | None,
    limit: int,
) -> Sequence[tuple[AuditEntry, str | None]]:
    """Lists a page of entries with the slugs of their competitions, newest first.

    Without a slug only for the administrator (`NotAllowed`); with one for its organizers
    (`NotFound` for all others).
    """
    if slug is not None:
        competition = competition_for_organizer(session, slug=slug, actor=actor)
        wanted = replace(wanted, competition_id=competition.id)
    elif not actor.is_administrator:
        raise NotAllowed("Name one of your competitions: ?competition=<slug>.")
    return entries(session, wanted=wanted, before_id=before_id, limit=limit)
