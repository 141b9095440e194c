"""The item file of a competition: what metrics beyond accuracy are computed against.

Read by the sandbox between two transactions, as the published ids are. Once a competition was
launched, the file that it has stays: verdicts were made with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.orm import Session

from podium.core import audit
from podium.core.access import Actor, competition_for_organizer
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import settings_of, task_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, StoredItemFile
from podium.errors import InvalidInput, NotFound, WrongState
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.materials import queries
from podium.sandbox.answers import good_answer, left
from podium.sandbox.definitions.materials import CATALOGUE, ITEMS, ReadItems
from podium.scoring.items_reading import MAX_USERS
from podium.scoring.kinds import kind_of
from podium.scoring.metrics import Metric, metric_of
from podium.scoring.task import Task
from podium.storage import Area, Stored

ITEMS_AREA = Area.GROUND_TRUTH
"""Popularity and features of items are the organizer's: no route serves this area."""

MAX_UPLOAD_BYTES = 4 << 30
MAX_EXPANDED_BYTES = 8 << 30

_CONTENTS = {
    "items": "lists the items",
    "users": "has a column users, and the number of training users",
    "features": "has features: any columns of numbers",
}


@dataclass(frozen=True, slots=True)
class ItemsToRead:
    """An uploaded item file, and what it is read for."""

    task: Task
    training_users: int | None
    uploaded: Stored


@dataclass(frozen=True, slots=True)
class StoredItems:
    """A good item file in canonical form, and what came."""

    uploaded: Stored
    stored: Stored
    summary: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Need:
    """A requirement of a metric of the settings on the item file, as a sentence, and whether it is
    met."""

    text: str
    is_met: bool


def prepare(
    session: ReadSession, *, actor: Actor, slug: str, training_users: int | None
) -> tuple[str, Task]:
    """The competition's id, and the task that an item file is read for. Raises `NotFound`,
    `InvalidInput` (`bad-training-users`), and `WrongState` (`fixed-at-launch`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    _require_open(session, competition)
    if training_users is not None and not 1 <= training_users <= MAX_USERS:
        raise InvalidInput(
            f"training_users is a number from 1 to {MAX_USERS}.", code=ErrorCode.BAD_TRAINING_USERS
        )
    task = task_of(settings_of(competition))
    return competition.id, replace(task, max_expanded_bytes=MAX_EXPANDED_BYTES)


def read(given: ItemsToRead, means: Means) -> StoredItems:
    """Has a child read the upload. Raises `NoAnswer` with what is wrong with it."""
    with means.storage.local(ITEMS_AREA, given.uploaded.sha256) as file:
        wanted = ReadItems(file=file, task=given.task, training_users=given.training_users)
        result = means.run(wanted)
    answer = good_answer(result)
    stored = means.storage.add(ITEMS_AREA, left(result, ITEMS))
    return StoredItems(given.uploaded, stored, answer.summary)


def put(
    session: WriteSession, *, actor: Actor, slug: str, given: StoredItems
) -> tuple[StoredItemFile, bool]:
    """Makes this the item file; answers also whether there was none. Raises `NotFound`, and
    `WrongState` (`fixed-at-launch`, `changed-meanwhile`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    _require_open(session, competition)
    if given.summary["item_ids"] != settings_of(competition).item_ids:
        raise WrongState(
            "The setting item_ids was changed while the file was read. Upload it again.",
            code=ErrorCode.CHANGED_MEANWHILE,
        )
    return _put(session, actor=actor, competition=competition, given=given, by=actor.user_id)


def put_prepared(
    session: WriteSession,
    *,
    actor: Actor | None,
    competition: Competition,
    given: StoredItems,
    by: str,
) -> None:
    """Makes the items of a prepared training set the item file of a locked draft, unless an
    organizer has uploaded one; `by` is the user whose upload was prepared."""
    row = session.get(StoredItemFile, competition.id)
    earlier = queries.summaries(session, competition.id)
    made = {summary.get("files", {}).get(CATALOGUE) for summary in earlier}
    if row is None or row.upload_sha256 in made:
        _put(session, actor=actor, competition=competition, given=given, by=by)


def _put(
    session: WriteSession,
    *,
    actor: Actor | None,
    competition: Competition,
    given: StoredItems,
    by: str,
) -> tuple[StoredItemFile, bool]:
    now = database_now(session)
    known = session.get(StoredItemFile, competition.id)
    row = known or StoredItemFile(competition_id=competition.id)
    session.add(row)
    row.sha256, row.summary = given.stored.sha256, dict(given.summary)
    row.upload_sha256, row.upload_bytes = given.uploaded.sha256, given.uploaded.size
    row.created_at, row.created_by = now, by
    session.flush()
    audit.record(
        session,
        actor,
        "item-file.put",
        competition,
        sha256=given.uploaded.sha256,
        items=given.summary["items"],
    )
    return row, known is None


def find(session: Session, *, actor: Actor, slug: str) -> StoredItemFile:
    """The item file of a competition, for its organizers. Raises `NotFound`."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    row = session.get(StoredItemFile, competition.id)
    if row is None:
        raise NotFound("This competition has no item file.")
    return row


def remove(session: WriteSession, *, actor: Actor, slug: str) -> None:
    """Takes the item file away. Raises `NotFound`, and `WrongState` (`fixed-at-launch`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor, for_update=True)
    row = find(session, actor=actor, slug=slug)
    _require_open(session, competition)
    session.delete(row)
    session.flush()
    audit.record(session, actor, "item-file.remove", competition, sha256=row.upload_sha256)


def needs_of(
    session: Session, competition_id: str, settings: CompetitionSettings
) -> Sequence[Need]:
    """The requirements of the metrics of these settings on the item file, one sentence each."""
    row = session.get(StoredItemFile, competition_id)
    provided = set() if row is None else set(row.summary["tells"])
    # Numbers and texts are other items: a file that was read as the one does not know the others.
    fits = row is not None and row.summary["item_ids"] == settings.item_ids
    return [
        Need(f"The item file {_CONTENTS[need]}, as {metric.name} needs.", fits and need in provided)
        for metric in _metrics(settings)
        for need in metric.needs
    ]


def require_needs(session: Session, competition_id: str, settings: CompetitionSettings) -> None:
    """Raises `InvalidInput` (`item-file-lacks`) where a metric needs what the item file lacks."""
    missing = [need.text for need in needs_of(session, competition_id, settings) if not need.is_met]
    if missing:
        raise InvalidInput(f"Not true yet: {' '.join(missing)}", code=ErrorCode.ITEM_FILE_LACKS)


def canonical_sha256(
    session: Session, competition_id: str, settings: CompetitionSettings
) -> str | None:
    """The canonical item file that lists are judged beside; None where there is none of such
    items."""
    row = session.get(StoredItemFile, competition_id)
    if row is None or not kind_of(settings.task).has_lists:
        return None
    return row.sha256 if row.summary["item_ids"] == settings.item_ids else None


def _metrics(settings: CompetitionSettings) -> list[Metric]:
    return [metric_of(metric) for metric in task_of(settings).metrics]


def _require_open(session: Session, competition: Competition) -> None:
    if competition.launched_at is None:
        return
    # A first one changes no verdict, and a rejudging may then add what needs it.
    if session.get(StoredItemFile, competition.id) is not None:
        raise WrongState(
            "The item file is fixed since the launch: submissions were judged with it, and a"
            " rejudging can change diagnostics, but not what they are computed against.",
            code=ErrorCode.FIXED_AT_LAUNCH,
        )
