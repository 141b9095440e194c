"""Competitions: created, described, listed and changed, with all dependent data."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from podium.competitions import queries
from podium.competitions.queries import CompetitionCounts
from podium.competitions.rules import (
    END_BEFORE_START,
    Changed,
    changed_between,
    closed_to_strangers,
    dates_are_ordered,
    taken_slug,
)
from podium.competitions.service.custom_metric import require_custom_metric
from podium.core import audit, lookups
from podium.core.access import (
    Actor,
    competition_for_organizer,
    competition_for_reader,
    organizes,
    phase_of,
)
from podium.core.competition_settings import CompetitionSettings, with_changes
from podium.core.competition_settings.texts import Texts
from podium.core.configuration import invalid_settings, require_metrics, settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import (
    Competition,
    CompetitionSecret,
    GroundTruthVersion,
    JudgingPause,
    OrganizerRole,
    PublishedIdList,
    Team,
    User,
)
from podium.core.phases import Phase
from podium.core.versions import latest_version
from podium.errors import InvalidInput, NotAllowed, PreconditionFailed, WrongState
from podium.errors.codes import ErrorCode
from podium.standings.service import ladder, leaks, standings


@dataclass(frozen=True, slots=True)
class ForOrganizers:
    """The part of a competition's description that only organizers see."""

    organizers: Sequence[User]
    latest_ground_truth: int | None
    published_ids: PublishedIdList | None
    pauses: Sequence[JudgingPause]
    private_scores_missing: int
    metric_warnings: Sequence[str]
    waiting_teams: Sequence[Team]


@dataclass(frozen=True, slots=True)
class CompetitionView:
    """A competition at a moment, as one caller may see it."""

    competition: Competition
    settings: CompetitionSettings
    phase: Phase
    counts: CompetitionCounts
    for_organizers: ForOrganizers | None


def require_maker(actor: Actor) -> None:
    """Raises `NotAllowed` for people who may not create competitions."""
    if not actor.may_create_competitions:
        raise NotAllowed("Only organizers and the administrator may make competitions.")


def create_competition(
    session: WriteSession, *, actor: Actor, texts: Texts, settings: CompetitionSettings
) -> Competition:
    """Creates a draft that the caller organizes. Raises `NotAllowed`, `InvalidInput` (`bad-date`,
    `unknown-metric`) and `WrongState` (`slug-taken`)."""
    require_maker(actor)
    require_ordered_dates(texts.starts_at, texts.ends_at)
    require_metrics(settings)
    now = database_now(session)
    competition = Competition(
        **texts.model_dump(),
        settings=settings.model_dump(mode="json"),
        created_at=now,
        created_by=actor.user_id,
    )
    with _unique_slug(session, texts.slug):
        session.add(competition)
    session.add(CompetitionSecret(competition_id=competition.id, split_key=secrets.token_hex(32)))
    session.add(OrganizerRole(competition_id=competition.id, user_id=actor.user_id, added_at=now))
    audit.record(
        session, actor, "competition.create", competition, slug=texts.slug, title=texts.title
    )
    session.flush()
    return competition


@contextmanager
def _unique_slug(session: WriteSession, slug: str) -> Iterator[None]:
    """Wraps the writing of a slug; raises `WrongState` (`slug-taken`) if another competition has
    it."""
    try:
        with session.begin_nested():
            yield
    except IntegrityError as error:
        raise WrongState(taken_slug(slug), code=ErrorCode.SLUG_TAKEN) from error


def is_slug_taken(session: Session, slug: str) -> bool:
    """True if another competition, perhaps a hidden draft, has this slug."""
    return queries.has_slug(session, slug)


def require_ordered_dates(starts_at: datetime | None, ends_at: datetime | None) -> None:
    """Raises `InvalidInput` (`bad-date`) when a competition would end before it starts."""
    if not dates_are_ordered(starts_at, ends_at):
        raise InvalidInput(END_BEFORE_START, code=ErrorCode.BAD_DATE)


def describe(session: Session, *, actor: Actor | None, slug: str) -> CompetitionView:
    """Describes the competition of this slug, if the caller may see it. Raises `NotFound`
    otherwise."""
    competition = competition_for_reader(session, slug=slug, actor=actor)
    return describe_found(session, actor=actor, competition=competition)


def describe_found(
    session: Session, *, actor: Actor | None, competition: Competition
) -> CompetitionView:
    """Describes a competition that the caller is already known to be allowed to see."""
    counts = queries.counts_of(session, [competition.id])[competition.id]
    extra = None
    if organizes(session, competition, actor):
        extra = ForOrganizers(
            organizers=lookups.organizers_of(session, competition.id),
            latest_ground_truth=latest_version(session, GroundTruthVersion, competition.id),
            published_ids=session.get(PublishedIdList, competition.id),
            pauses=lookups.pauses_of(session, competition_id=competition.id),
            private_scores_missing=queries.private_scores_missing(session, competition.id),
            metric_warnings=lookups.metric_warnings(session, competition),
            waiting_teams=lookups.waiting_in(session, competition_id=competition.id),
        )
    return CompetitionView(
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
) -> list[CompetitionView]:
    """Lists a page of the competitions that the caller may see, newest first, without organizers'
    details; `organized` keeps those that the caller organizes, which are all for the administrator,
    and `named` those with this in the title or the slug."""
    rows = queries.visible_competitions(
        session,
        user_id=actor.user_id if actor else None,
        sees_all=actor is not None and actor.is_administrator,
        organized=organized,
        named=named,
        after_id=after_id,
        limit=limit,
    )
    counts = queries.counts_of(session, [row.id for row in rows])
    now = database_now(session)
    return [
        CompetitionView(row, settings_of(row), phase_of(row, now), counts[row.id], None)
        for row in rows
    ]


COLUMNS = frozenset(Texts.model_fields)
"""Columns that an organizer changes beside the settings document; free at any time, but for the
slug."""

FROM_GROUND_TRUTH, FROM_LIST = "ground-truth", "list"
"""Sources of the published ids, as they are stored."""


CompetitionVersion = tuple[str, int]
"""A competition's id, and a version of its settings."""


def change_competition(
    session: WriteSession,
    *,
    actor: Actor,
    slug: str,
    changes: Mapping[str, Any],
    expected_versions: Collection[CompetitionVersion] | None,
) -> Competition:
    """Applies the given members, all or none; others stay unchanged.

    `expected_versions` are those of `If-Match`; None accepts any. Raises `NotFound`,
    `PreconditionFailed`, `InvalidInput` (those of settings, `unknown-metric-version`,
    `metric-arguments`), and `WrongState` (`fixed-at-launch`, `needs-rejudging`, `slug-taken`).
    """
    is_renamed = changes.get("slug", slug) != slug
    competition = competition_for_organizer(
        session, slug=slug, actor=actor, for_update=True, with_slug=is_renamed
    )
    _require_version(competition, expected_versions)
    before = settings_of(competition)
    if competition.visibility != "private" and before.registration == "open":
        changes = {**changes, **closed_to_strangers(changes)}
    after = _merged(before, {k: v for k, v in changes.items() if k not in COLUMNS})
    changed = changed_between(before, after)
    columns = {k: v for k, v in changes.items() if k in COLUMNS and v != getattr(competition, k)}
    if not changed.names and not columns:
        return competition
    if competition.launched_at is not None:
        _require_allowed_after_launch(changed, columns)
    require_custom_metric(session, competition_id=competition.id, before=before, after=after)
    _change(session, actor, competition, before, after, columns)
    return competition


def _change(
    session: WriteSession,
    actor: Actor | None,
    competition: Competition,
    before: CompetitionSettings,
    after: CompetitionSettings,
    columns: Mapping[str, Any],
) -> None:
    """Writes settings and columns, and all dependent data."""
    changed, slug = changed_between(before, after), competition.slug
    renamed = {"slug": columns["slug"], "slug_before": slug} if "slug" in columns else {}
    _apply(session, competition, columns, after)
    if changed.outdate_ground_truth:
        outdate_ground_truth(session, competition=competition)
    if "board" in changed.names:
        ladder.change_board(session, competition=competition)
    if {"decimals", "board", "objective_scores", "board_diagnostics"} & set(changed.names):
        leaks.record_all(session, competition=competition)
    if {"decimals", "board"} & set(changed.names):
        standings.recompute_public_board(session, competition=competition)
    audit.record(
        session,
        actor,
        "competition.change",
        competition,
        before=_facts(before, changed),
        after=_facts(after, changed),
        texts=sorted(columns),
        **renamed,
    )


def fit_settings(
    session: WriteSession,
    *,
    actor: Actor | None,
    competition: Competition,
    changes: Mapping[str, Any],
) -> None:
    """Changes settings of a locked draft to those that an uploaded file requires. Raises
    `InvalidInput` for invalid settings, and has then changed nothing."""
    before = settings_of(competition)
    after = _merged(before, changes)
    _change(session, actor, competition, before, after, {})


def _require_version(
    competition: Competition, expected: Collection[CompetitionVersion] | None
) -> None:
    if expected is not None and (competition.id, competition.version) not in expected:
        raise PreconditionFailed(
            f"The competition has version {competition.version} by now. Read it again.",
            version=competition.version,
        )


def outdate_ground_truth(session: WriteSession, *, competition: Competition) -> bool:
    """Deactivates and outdates a draft's ground truth, because it would be read differently now;
    published ids that it implied are deleted. Returns true if there was any."""
    competition.active_ground_truth = None
    published = session.get(PublishedIdList, competition.id)
    if published is not None and published.source == FROM_GROUND_TRUTH:
        session.delete(published)
    return lookups.outdate_versions(session, competition.id) > 0


def _merged(before: CompetitionSettings, changes: Mapping[str, Any]) -> CompetitionSettings:
    try:
        after = with_changes(before, changes)
    except ValidationError as error:
        raise invalid_settings(error) from error
    require_metrics(after)
    return after


def _require_allowed_after_launch(changed: Changed, columns: Mapping[str, Any]) -> None:
    if fixed := sorted(changed.fixed | ({"slug"} & columns.keys())):
        raise WrongState(
            f"Since the launch these settings never change: {', '.join(fixed)}.",
            code=ErrorCode.FIXED_AT_LAUNCH,
            settings=fixed,
        )
    if changed.need_rejudging:
        names = sorted(changed.need_rejudging)
        raise WrongState(
            f"Since the launch these settings change only through a rejudging: {', '.join(names)}.",
            code=ErrorCode.NEEDS_REJUDGING,
            settings=names,
        )


def _apply(
    session: WriteSession,
    competition: Competition,
    columns: Mapping[str, Any],
    settings: CompetitionSettings,
) -> None:
    with _unique_slug(session, columns.get("slug", competition.slug)):
        for name, value in columns.items():
            setattr(competition, name, value)
    require_ordered_dates(competition.starts_at, competition.ends_at)
    competition.settings = settings.model_dump(mode="json")
    competition.version += 1
    session.flush()


def _facts(settings: CompetitionSettings, changed: Changed) -> dict[str, Any]:
    return settings.model_dump(mode="json", include=set(changed.names))
