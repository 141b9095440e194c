"""Competitions: made, described, listed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.db import ground_truths, memberships, references
from podium.db.engine import WriteSession, database_now
from podium.db.models import (
    Competition,
    CompetitionSecret,
    JudgingPause,
    Organizer,
    PublishedIdList,
    User,
)
from podium.db.queries import competitions
from podium.db.queries.competitions import Counts
from podium.domain.competition_changes import dates_are_ordered
from podium.domain.competition_settings import CompetitionSettings
from podium.domain.permissions import Actor
from podium.domain.phases import Phase
from podium.errors import InvalidInput, NotAllowed, WrongState
from podium.services import audit
from podium.services.access import competition_for_reader, organizes, phase_of
from podium.services.tasks import settings_of, task_of


@dataclass(frozen=True, slots=True)
class Texts:
    """What a competition has beside its settings."""

    slug: str
    title: str
    description: str = ""
    visibility: str = "public"
    starts_at: datetime | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForOrganizers:
    """What only organizers see of a competition."""

    organizers: Sequence[User]
    latest_ground_truth: int | None
    published_ids: PublishedIdList | None
    pauses: Sequence[JudgingPause]


@dataclass(frozen=True, slots=True)
class Described:
    """A competition at a moment, as somebody may see it."""

    competition: Competition
    settings: CompetitionSettings
    phase: Phase
    counts: Counts
    for_organizers: ForOrganizers | None


def create_competition(
    session: WriteSession, *, actor: Actor, texts: Texts, settings: CompetitionSettings
) -> Competition:
    """A new draft that the caller organizes. Raises `NotAllowed`, `InvalidInput` (`bad-date`,
    `unknown-metric`) and `WrongState` (`slug-taken`)."""
    if not actor.may_create_competitions:
        raise NotAllowed("Only organizers and the administrator may make competitions.")
    require_ordered_dates(texts.starts_at, texts.ends_at)
    task_of(settings)
    now = database_now(session)
    competition = Competition(
        slug=texts.slug,
        title=texts.title,
        description=texts.description,
        settings=settings.model_dump(mode="json"),
        visibility=texts.visibility,
        starts_at=texts.starts_at,
        ends_at=texts.ends_at,
        created_at=now,
        created_by=actor.user_id,
    )
    try:
        with session.begin_nested():
            session.add(competition)
    except IntegrityError as error:
        raise WrongState(f"There is a competition {texts.slug} already.", code="slug-taken") from (
            error
        )
    session.add(CompetitionSecret(competition_id=competition.id, split_key=secrets.token_hex(32)))
    session.add(Organizer(competition_id=competition.id, user_id=actor.user_id, added_at=now))
    audit.record(
        session,
        actor=actor,
        action="competition.create",
        competition_id=competition.id,
        slug=texts.slug,
        title=texts.title,
    )
    session.flush()
    return competition


def require_ordered_dates(starts_at: datetime | None, ends_at: datetime | None) -> None:
    """Raises `InvalidInput` (`bad-date`) when a competition would end before it starts."""
    if not dates_are_ordered(starts_at, ends_at):
        raise InvalidInput("ends_at must lie after starts_at.", code="bad-date")


def describe(session: Session, *, actor: Actor | None, slug: str) -> Described:
    """The competition of this slug, if the caller may see it; `NotFound` otherwise."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    return describe_found(session, actor=actor, competition=competition)


def describe_found(session: Session, *, actor: Actor | None, competition: Competition) -> Described:
    """A competition that the caller is known to be allowed to see."""
    counts = competitions.counts_of(session, [competition.id])[competition.id]
    extra = None
    if organizes(session, competition, actor):
        extra = ForOrganizers(
            organizers=memberships.organizers_of(session, competition.id),
            latest_ground_truth=ground_truths.latest_version(session, competition.id),
            published_ids=session.get(PublishedIdList, competition.id),
            pauses=references.pauses_of(session, competition_id=competition.id),
        )
    return Described(
        competition=competition,
        settings=settings_of(competition),
        phase=phase_of(competition, database_now(session)),
        counts=counts,
        for_organizers=extra,
    )


def list_competitions(
    session: Session,
    *,
    actor: Actor | None,
    after_id: str | None,
    limit: int,
    organized: bool = False,
    named: str = "",
) -> list[Described]:
    """A page of the competitions that the caller may see, newest first, as everybody sees them;
    `organized` leaves those that the caller organizes, which are all for the administrator, and
    `named` those with this in the title or the slug."""
    rows = competitions.visible_competitions(
        session,
        user_id=actor.user_id if actor else None,
        sees_all=actor is not None and actor.is_administrator,
        organized=organized,
        named=named,
        after_id=after_id,
        limit=limit,
    )
    counts = competitions.counts_of(session, [row.id for row in rows])
    now = database_now(session)
    return [
        Described(row, settings_of(row), phase_of(row, now), counts[row.id], None) for row in rows
    ]
