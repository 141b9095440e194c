"""Changing a competition: what may change when, and what else has to change with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import ValidationError

from podium.db import ground_truths
from podium.db.engine import WriteSession
from podium.db.models import Competition, PublishedIdList
from podium.domain.competition_changes import Changed, changed_between
from podium.domain.competition_settings import CompetitionSettings, with_changes
from podium.domain.permissions import Actor
from podium.errors import PreconditionFailed, WrongState
from podium.services import audit, ladder, standings
from podium.services.access import competition_for_organizer
from podium.services.competitions import require_ordered_dates
from podium.services.tasks import invalid_settings, settings_of, task_of

COLUMNS = ("title", "description", "visibility", "starts_at", "ends_at")
"""What an organizer changes beside the settings document; free at any time."""

FROM_GROUND_TRUTH, FROM_LIST = "ground-truth", "list"
"""Where the published ids come from."""


def change_competition(
    session: WriteSession,
    *,
    actor: Actor,
    slug: str,
    changes: Mapping[str, Any],
    expected_versions: Collection[int] | None,
) -> Competition:
    """Applies the given members, all or none; those not given stay as they are.

    `expected_versions` are those of `If-Match`; None takes any. Raises `NotFound`,
    `PreconditionFailed`, `InvalidInput`, and `WrongState` (`fixed-at-launch`, `needs-rejudging`).
    """
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    if expected_versions is not None and competition.version not in expected_versions:
        raise PreconditionFailed(
            f"The competition has version {competition.version} by now. Read it again.",
            version=competition.version,
        )
    before = settings_of(competition)
    after = _merged(before, {k: v for k, v in changes.items() if k not in COLUMNS})
    changed = changed_between(before, after)
    columns = {k: v for k, v in changes.items() if k in COLUMNS and v != getattr(competition, k)}
    if not changed.names and not columns:
        return competition
    if competition.launched_at is not None:
        _require_allowed_after_launch(changed)
    _apply(session, competition, columns, after)
    if changed.outdate_ground_truth:
        outdate_ground_truth(session, competition=competition)
    if "board" in changed.names:
        ladder.change_board(session, competition=competition)
    if {"decimals", "board"} & set(changed.names):
        standings.recompute_public_board(session, competition=competition)
    audit.record(
        session,
        actor=actor,
        action="competition.change",
        competition_id=competition.id,
        before=_facts(before, changed),
        after=_facts(after, changed),
        texts=sorted(columns),
    )
    return competition


def outdate_ground_truth(session: WriteSession, *, competition: Competition) -> bool:
    """Takes a draft's ground truth out of use, because what it means has changed; published ids
    that it implied go with it. Answers whether there was any."""
    competition.active_ground_truth = None
    published = session.get(PublishedIdList, competition.id)
    if published is not None and published.source == FROM_GROUND_TRUTH:
        session.delete(published)
    return ground_truths.outdate_versions(session, competition.id) > 0


def _merged(before: CompetitionSettings, changes: Mapping[str, Any]) -> CompetitionSettings:
    try:
        after = with_changes(before, changes)
    except ValidationError as error:
        raise invalid_settings(error) from error
    task_of(after)
    return after


def _require_allowed_after_launch(changed: Changed) -> None:
    if changed.fixed:
        raise WrongState(
            f"Since the launch these settings never change: {', '.join(sorted(changed.fixed))}.",
            code="fixed-at-launch",
            settings=sorted(changed.fixed),
        )
    if changed.need_rejudging:
        names = sorted(changed.need_rejudging)
        raise WrongState(
            f"Since the launch these settings change only through a rejudging: {', '.join(names)}.",
            code="needs-rejudging",
            settings=names,
        )


def _apply(
    session: WriteSession,
    competition: Competition,
    columns: Mapping[str, Any],
    settings: CompetitionSettings,
) -> None:
    for name, value in columns.items():
        setattr(competition, name, value)
    require_ordered_dates(competition.starts_at, competition.ends_at)
    competition.settings = settings.model_dump(mode="json")
    competition.version += 1
    session.flush()


def _facts(settings: CompetitionSettings, changed: Changed) -> dict[str, Any]:
    return settings.model_dump(mode="json", include=set(changed.names))
