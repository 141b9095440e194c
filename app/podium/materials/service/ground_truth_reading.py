"""Reading an uploaded ground truth: prepared in one transaction, done by the sandbox in none,
recorded in another. Nothing of it is parsed in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from podium.competitions.service.competitions import FROM_GROUND_TRUTH, fit_settings
from podium.core import audit, lookups
from podium.core.access import Actor
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import by_objective_name, settings_of, task_of
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.models import Competition, CompetitionSecret, GroundTruthVersion, PublishedIdList
from podium.core.versions import VersionState, latest_version, locked_upload
from podium.errors import InvalidInput, StoredFileCorrupt, lone_problem
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.materials.service import item_files, preparations
from podium.materials.service.item_files import ITEMS_AREA, StoredItems
from podium.sandbox import Result
from podium.sandbox.answers import good_answer, left
from podium.sandbox.definitions.materials import (
    CATALOGUE,
    ITEMS,
    PREPARED,
    PUBLISHED,
    TRUTH,
    Cutting,
    Hiding,
    ReadTruth,
    Split,
    TruthRead,
)
from podium.sandbox.definitions.tables import SOLUTION_OF
from podium.scoring.kinds import TaskKind, kind_of
from podium.scoring.task import Task
from podium.storage import Area, Storage, Stored

MAX_EXPANDED_BYTES = 32 << 30
"""Text of a ground truth after decompression."""

NAMED_IN_WORDS = 3
"""Ids that a warning names; the page of the version names more."""

PUBLISHED_AREA = Area.FILES
"""Published ids are no secret: the sample submission holds them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The rules by which an upload is read: those of the competition at the moment of
    preparation."""

    upload_id: str
    upload_sha256: str
    task: Task
    split: Split
    published_sha256: str | None
    before_sha256: str | None
    """The SHA-256 of the ground truth in force, where the organizer's column divides the
    sessions."""

    cutting: Cutting | Hiding | None
    """The rules by which interactions are hidden; or by which whole sessions are cut, if the upload
    holds such; None where they are refused."""

    active: tuple[int, str] | None = field(default=None, compare=False)
    """Number and SHA-256 of the version in force, which this one is compared with. Another one by
    the end of the reading makes the comparison old, and nothing wrong."""


@dataclass(frozen=True, slots=True)
class Read:
    """A good ground truth in canonical form, with the ids that it is numbered by, and the rules by
    which it was read."""

    reading: Reading
    truth: Stored
    published: Stored
    summary: Mapping[str, Any]
    files: Mapping[str, Stored]
    """Files for participants, by name, if the upload was prepared."""

    settings: Mapping[str, Any] | None = None
    """The settings that the competition needs for this ground truth, if it has others."""

    items: StoredItems | None = None
    """The item file of a training set."""

    parts: Mapping[str, Stored] | None = None
    """The rows of a table's solution by split, each in a file of its own."""


SETTINGS_CHANGED = lone_problem(
    ErrorCode.SETTINGS_CHANGED,
    "The settings or the published ids were changed while this was read. Upload it again.",
)


def prepare(session: ReadSession, *, upload_id: str) -> Reading:
    """Takes down everything that the sandbox must know."""
    row = session.get_one(GroundTruthVersion, upload_id)
    competition = session.get_one(Competition, row.competition_id)
    return _reading(session, row, competition)


def read(reading: Reading, means: Means) -> Read:
    """Has a child read the upload and stores its canonical form. Takes minutes at worst. Raises
    `NoAnswer`."""
    storage = means.storage
    with ExitStack() as files:
        file = files.enter_context(storage.local(Area.GROUND_TRUTH, reading.upload_sha256))
        published = None
        if reading.published_sha256 is not None:
            published = files.enter_context(storage.local(PUBLISHED_AREA, reading.published_sha256))
        before = _earlier(reading, files, storage)
        wanted = ReadTruth(
            file=file,
            task=reading.task,
            split=reading.split,
            published=published,
            before=before,
            cutting=reading.cutting,
        )
        result = means.in_folder("child").run(wanted)
    return _kept(reading, result, good_answer(result), storage)


def _earlier(reading: Reading, files: ExitStack, storage: Storage) -> Path | None:
    """The version in force. One that is lost must not keep another from taking its place, unless
    its sides are to be kept."""
    if reading.active is None:
        return None
    try:
        return files.enter_context(storage.local(Area.GROUND_TRUTH, reading.active[1]))
    except StoredFileCorrupt:
        if reading.before_sha256 is not None:
            raise
        return None


def record(
    session: WriteSession,
    *,
    actor: Actor | None,
    upload_id: str,
    read: Read | None,
    problem: Mapping[str, Any] | None = None,
) -> GroundTruthVersion:
    """Writes down how the reading ended: the next version, or the problem for which there is none.

    The first version becomes active by itself. An upload that is no longer waiting stays as it is.
    """
    row, competition = locked_upload(session, GroundTruthVersion, upload_id)
    if row.status != VersionState.CHECKING:
        return row
    if read is not None and _reading(session, row, competition) != read.reading:
        read, problem = None, SETTINGS_CHANGED
    if read is not None and read.settings is not None:
        try:
            fit_settings(session, actor=actor, competition=competition, changes=read.settings)
        except InvalidInput as unfit:
            read, problem = None, _problem_of(unfit)
    if read is not None:
        _store(session, actor, competition, row, read)
    else:
        row.status, row.problem = VersionState.REJECTED, dict(problem or {})
    audit.record(
        session,
        actor,
        f"ground-truth.{'store' if row.status == VersionState.STORED else 'reject'}",
        row,
        version=row.version,
        code=(row.problem or {}).get("code"),
    )
    return row


def _problem_of(unfit: InvalidInput) -> dict[str, Any]:
    """The refusal of settings that a file asks for and no competition may have."""
    detail = f"The file asks for settings that are not possible: {unfit.detail}"
    return lone_problem(ErrorCode.BAD_PREPARATION, detail)


def _kept(reading: Reading, result: Result[Any], answer: TruthRead, storage: Storage) -> Read:
    """Stores what the child left. Raises `NoAnswer` and `Unavailable`."""
    items = None
    if answer.items is not None:
        items = StoredItems(
            uploaded=storage.add(ITEMS_AREA, left(result, PREPARED[CATALOGUE])),
            stored=storage.add(ITEMS_AREA, left(result, ITEMS)),
            summary=answer.items.summary,
        )
    return Read(
        reading=reading,
        truth=storage.add(Area.GROUND_TRUTH, left(result, TRUTH)),
        published=storage.add(PUBLISHED_AREA, left(result, PUBLISHED)),
        summary=answer.summary,
        # Names of downloads are ours: the child only says which of them it has written.
        files={
            name: storage.add(Area.FILES, left(result, path))
            for name, path in PREPARED.items()
            if name in answer.files
        },
        settings=answer.settings,
        items=items,
        parts=_parts(result, answer, storage),
    )


def _parts(result: Result[Any], answer: TruthRead, storage: Storage) -> dict[str, Stored] | None:
    if answer.parts is None:
        return None
    return {
        split: storage.add(Area.GROUND_TRUTH, left(result, name))
        for split, name in SOLUTION_OF.items()
        if split in answer.parts
    }


def _reading(session: Session, row: GroundTruthVersion, competition: Competition) -> Reading:
    settings = settings_of(competition)
    secret = session.get_one(CompetitionSecret, competition.id)
    published = session.get(PublishedIdList, competition.id)
    if row.preparation is not None and competition.launched_at is None:
        # Which sessions are published is what the preparation says.
        published = None
    recipe = None if row.preparation is None else preparations.recipe_from(row.preparation)
    task = replace(task_of(settings), max_expanded_bytes=MAX_EXPANDED_BYTES)
    active = lookups.active_version(session, competition.id, competition.active_ground_truth)
    before = None
    if active is not None and active.version is not None and active.sha256 is not None:
        before = active.version, active.sha256
    return Reading(
        upload_id=row.id,
        upload_sha256=row.upload_sha256,
        task=task,
        split=_split(settings, secret.split_key),
        published_sha256=published.sha256 if published else None,
        before_sha256=before[1] if before and settings.split.usage else None,
        cutting=preparations.cutting_of(session, competition, secret, recipe),
        active=before,
    )


def _split(settings: CompetitionSettings, split_key: str) -> Split:
    fraction = settings.split.public_fraction
    if fraction is None:
        return Split(kind="usage")
    return Split(kind="hash", secret=split_key, public_fraction=str(fraction))


def _compared(read: Read) -> dict[str, Any]:
    """The changes with the version that they are changes of, and warnings that say them; nothing
    where no version was in force."""
    changes = read.summary.get("changes")
    if changes is None or read.reading.active is None:
        return {}
    version, _ = read.reading.active
    warnings = [
        *words_of_changes(changes, version, read.reading.task.kind),
        *read.summary["warnings"],
    ]
    return {"changes": {**changes, "version": version}, "warnings": warnings}


def words_of_changes(changes: Mapping[str, Any], version: int, kind: TaskKind) -> list[str]:
    """The changes since the version with this number, in sentences."""
    ids, lists = changes["ids"], changes["lists"]
    words = []
    if lost := ids["only_before"]:
        have = "1 id has" if lost == 1 else f"{lost:,} ids have"
        words.append(f"{have} labels in version {version} and none in this one{{only_before}}.")
    if gained := ids["only_after"]:
        have = "1 id has" if gained == 1 else f"{gained:,} ids have"
        words.append(f"{have} labels in this version and none in version {version}{{only_after}}.")
    if changed := lists["only_before"] + lists["only_after"] + lists["different"]:
        one, several = kind_of(kind).difference
        are = f"1 {one}" if changed == 1 else f"{changed:,} {several}"
        words.append(f"{are} from version {version}.")
    named = {key: _named(each, ids[key]) for key, each in changes["examples"].items()}
    return [each.format(**named) for each in words]


def _named(examples: Sequence[str], count: int) -> str:
    shown = examples[:NAMED_IN_WORDS]
    return f"{', for example' if count > len(shown) else ':'} {', '.join(shown)}"


def _store(
    session: WriteSession,
    actor: Actor | None,
    competition: Competition,
    row: GroundTruthVersion,
    read: Read,
) -> None:
    if read.items is not None:
        item_files.put_prepared(
            session, actor=actor, competition=competition, given=read.items, by=row.created_by
        )
    preparations.publish(
        session,
        actor=actor,
        competition=competition,
        given=read.files,
        published_sha256=read.published.sha256,
        replaces_ids=row.preparation is not None,
    )
    row.status = VersionState.STORED
    row.version = (latest_version(session, GroundTruthVersion, competition.id) or 0) + 1
    row.sha256 = read.truth.sha256
    if read.parts is not None:
        row.parts = {split: stored.sha256 for split, stored in read.parts.items()}
    objectives = by_objective_name(settings_of(competition), read.summary["objectives"])
    files = {name: stored.sha256 for name, stored in read.files.items()}
    made = {"files": files} if files else {}
    row.summary = {**read.summary, "objectives": objectives, **_compared(read), **made}
    if session.get(PublishedIdList, competition.id) is None:
        session.add(
            PublishedIdList(
                competition_id=competition.id,
                sha256=read.published.sha256,
                sessions=read.summary["sessions"],
                source=FROM_GROUND_TRUTH,
                created_at=database_now(session),
            )
        )
    if competition.active_ground_truth is None:
        competition.active_ground_truth = row.version
    session.flush()
