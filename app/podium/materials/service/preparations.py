"""Preparations of either recipe: by which key a file is prepared, and where the results go."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from podium.competitions.service.competitions import outdate_ground_truth
from podium.core.access import Actor, competition_for_organizer
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession
from podium.core.models import Competition, CompetitionSecret, PublishedIdList
from podium.errors import InvalidInput, WrongState
from podium.errors.codes import ErrorCode
from podium.materials import queries
from podium.materials.service import data_files, interactions
from podium.materials.service.interactions import InteractionRecipe
from podium.materials.service.raw_sessions import SessionRecipe
from podium.sandbox.definitions.materials import Cutting, Hiding
from podium.scoring.kinds import kind_of
from podium.storage import Stored

Recipe = SessionRecipe | InteractionRecipe


def recipe_from(stored: Mapping[str, Any]) -> Recipe:
    """The rules that a version keeps."""
    if stored.get("recipe") == interactions.RECIPE:
        return InteractionRecipe.from_stored(stored)
    return SessionRecipe.from_stored(stored)


def require_draft(competition: Competition) -> None:
    """Raises `WrongState` after the launch: what participants have seen would be divided elsewhere
    if it had become more, and so show what was hidden."""
    if competition.launched_at is not None:
        raise WrongState(
            "Raw sessions and interactions can only be given before the launch.",
            code=ErrorCode.FIXED_AT_LAUNCH,
        )


def require_preparable(session: Session, *, actor: Actor, slug: str, given: str) -> None:
    """Raises `NotFound` for a competition that this person does not organize, `WrongState` after
    the launch, and `InvalidInput` (`bad-preparation`) where submissions are not lists of items, of
    which alone labels are made; what is `given` is named."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    require_draft(competition)
    task = settings_of(competition).task
    if not kind_of(task).has_lists:
        raise InvalidInput(
            f"{given} are prepared for lists of items. The setting task is {task}; change it to"
            " ranking.",
            code=ErrorCode.BAD_PREPARATION,
        )


def cutting_of(
    session: Session, competition: Competition, secret: CompetitionSecret, recipe: Recipe | None
) -> Cutting | Hiding | None:
    """The sandbox's rules of a preparation; None after the launch. The key comes from the
    competition's own secret, so that an organizer who may restore it may also repeat the
    preparation."""
    if competition.launched_at is not None:
        return None
    if isinstance(recipe, InteractionRecipe):
        return Hiding(
            key=_key(secret, b"podium hidden interactions"),
            options=recipe.options,
            may_fit=interactions.may_fit(
                settings_of(competition), queries.summaries(session, competition.id)
            ),
        )
    key = _key(secret, b"podium cuts of sessions")
    if recipe is None:
        return Cutting(key=key, days=None, columns=None)
    return Cutting(key=key, days=recipe.days, columns=recipe.columns)


def _key(secret: CompetitionSecret, purpose: bytes) -> str:
    return hmac.digest(bytes.fromhex(secret.split_key), purpose, hashlib.sha256).hex()


def publish(
    session: WriteSession,
    *,
    actor: Actor | None,
    competition: Competition,
    given: Mapping[str, Stored],
    published_sha256: str,
    replaces_ids: bool,
) -> None:
    """Gives participants the prepared files. Those of an earlier preparation go: they may show
    what is hidden now. With `replaces_ids`, ids that are other ones than the prepared ones go, and
    ground truth that is numbered by them."""
    row = session.get(PublishedIdList, competition.id)
    if replaces_ids and row is not None and row.sha256 != published_sha256:
        outdate_ground_truth(session, competition=competition)
        session.flush()
        if (left := session.get(PublishedIdList, competition.id)) is not None:
            session.delete(left)
        session.flush()
    if given:
        _remove_earlier(session, actor, competition, given)
    for name, stored in given.items():
        data_files.put_known(
            session, actor=actor, competition=competition, name=name, stored=stored
        )


def _remove_earlier(
    session: WriteSession,
    actor: Actor | None,
    competition: Competition,
    given: Mapping[str, Stored],
) -> None:
    """Removes files that an earlier preparation made and this one does not. A name that an
    organizer has given other bytes since stays."""
    made: set[tuple[str, str]] = set()
    for summary in queries.summaries(session, competition.id):
        made.update(summary.get("files", {}).items())
    for row in queries.files_after(session, competition.id, None, limit=None):
        if row.name not in given and (row.name, row.sha256) in made:
            data_files.remove_known(session, actor=actor, competition=competition, row=row)
