"""Imports an archive: files first, then all rows in one transaction.

Ids, times, versions and the order of submissions stay the same, so that the boards are equal byte
for byte; an id that this installation already has is replaced everywhere. Whatever a row refers to
must be in the archive, so that no row can refer to another competition.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.exc import IntegrityError

from podium.application import Application
from podium.archives import queries
from podium.archives.queries import Row
from podium.archives.service import unpacking
from podium.archives.service.adapting import Adapter, bad_row
from podium.archives.service.former import rows_in
from podium.archives.service.people import People, settle
from podium.archives.service.tables import (
    COMPETITIONS,
    METRICS,
    SUBMISSIONS,
    TABLES,
    TEAMS,
    USERS,
    Table,
)
from podium.archives.service.unpacking import Archive
from podium.core import audit
from podium.core.access import Actor
from podium.core.competition_settings.texts import Slug
from podium.core.database.engine import WriteSession
from podium.core.database.reading import batches
from podium.core.database.types import new_id
from podium.errors import InvalidInput, WrongState
from podium.errors.codes import ErrorCode
from podium.storage import Storage


@dataclass(frozen=True, slots=True)
class Restored:
    """The imported competition, with counts of rows by table."""

    competition_id: str
    slug: str
    rows: dict[str, int] = field(default_factory=dict)


def import_archive(
    application: Application,
    *,
    actor: Actor,
    path: Path,
    slug: str | None,
    people: People,
    trust_metric: bool = False,
) -> Restored:
    """Imports a full archive. Raises the errors of `unpacking.opened` and `restore`, and
    `InvalidInput` (`metric-trust`) for an archive with code that this installation would run,
    unless `trust_metric`. A refused archive leaves nothing but files that no row names."""
    with unpacking.opened(path) as archive:
        if not trust_metric and any(archive.lines(METRICS.name)):
            raise InvalidInput(
                "This archive brings a metric that its organizers have programmed. Scoring would"
                " run that code on this server, in the sandbox. Import it again and say that you"
                " trust it, if you do.",
                code=ErrorCode.METRIC_TRUST,
            )
        store_files(archive, storage=application.storage)
        with application.database.write() as session:
            return restore(session, actor=actor, archive=archive, slug=slug, people=people)


def store_files(archive: Archive, *, storage: Storage) -> None:
    """Stores all files, outside of any transaction; existing ones stay."""
    for area, sha256 in archive.files:
        archive.store_file(storage, area, sha256)


def restore(
    session: WriteSession,
    *,
    actor: Actor,
    archive: Archive,
    slug: str | None = None,
    people: People = People.REFUSE,
) -> Restored:
    """Inserts the competition under the slug of the archive, or the given one. Its files must be
    stored already.

    Raises `InvalidInput` for rows that do not fit together, and `WrongState` (`slug-taken`,
    `names-taken`).
    """
    adapter = _Planning(session, archive, actor, people).adapter(slug)
    rows: dict[str, int] = {}
    try:
        for table in TABLES:
            rows[table.name] = _insert(session, table, archive, adapter)
        session.flush()
    except IntegrityError as error:
        raise _inconsistent() from error
    if not queries.versions_are_there(session, competition_id=adapter.competition_id):
        raise _inconsistent()
    audit.record(
        session,
        actor,
        "competition.import",
        competition_id=adapter.competition_id,
        slug=adapter.slug,
        made_by=archive.manifest.made_by,
        made_at=archive.manifest.made_at,
        rows=rows,
    )
    return Restored(adapter.competition_id, adapter.slug, rows)


def _inconsistent() -> InvalidInput:
    return InvalidInput(
        "The rows of the archive do not fit together.", code=ErrorCode.ARCHIVE_INCONSISTENT
    )


def _insert(session: WriteSession, table: Table, archive: Archive, adapter: Adapter) -> int:
    count = 0
    rows: Iterable[Row] = rows_in(archive, table)
    if table is USERS:
        rows = adapter.new_people
    for part in batches(adapter.in_order(table, rows), queries.ROWS_AT_A_TIME):
        count += len(part)
        if table is SUBMISSIONS:
            old = [row.pop("sequence") for row in part]
            adapter.note_sequences(old, queries.add_submissions(session, part))
        else:
            queries.add_rows(session, table.model, part)
    return count


@dataclass
class _Planning:
    """A first pass over all rows: collects their ids, and finds those that are taken here."""

    session: WriteSession
    archive: Archive
    actor: Actor
    people: People

    def adapter(self, slug: str | None) -> Adapter:
        """Returns the adapter for this archive's rows."""
        competition = self._only_competition()
        adapter = Adapter(
            archive_id=competition["id"],
            slug=self._free_slug(slug or competition["slug"]),
            files=set(self.archive.files),
            version=self.archive.manifest.version,
        )
        for table in TABLES:
            if table is not USERS and table.has_ids:
                adapter.ids[table.name] = self._ids(table)
        accounts = rows_in(self.archive, USERS)
        settled = settle(self.session, accounts, actor=self.actor, people=self.people)
        adapter.ids[USERS.name], adapter.new_people = settled.ids, settled.new
        adapter.taken_codes = self._taken_codes()
        return adapter

    def _only_competition(self) -> Row:
        rows = list(rows_in(self.archive, COMPETITIONS))
        if len(rows) != 1:
            raise bad_row(COMPETITIONS, "there must be exactly one")
        return rows[0]

    def _free_slug(self, slug: str) -> str:
        try:
            TypeAdapter(Slug).validate_python(slug)
        except ValidationError:
            raise InvalidInput(
                "A slug has lower-case letters, digits and inner hyphens, and is not reserved.",
                code=ErrorCode.BAD_SLUG,
            ) from None
        if queries.slug_is_taken(self.session, slug):
            raise WrongState(
                f"There is a competition {slug} already. Give the imported one another slug.",
                code=ErrorCode.SLUG_TAKEN,
            )
        return slug

    def _ids(self, table: Table) -> dict[str, str]:
        given = [row["id"] for row in rows_in(self.archive, table)]
        if len(set(given)) != len(given):
            raise bad_row(table, "an id occurs twice")
        taken = self._taken(table, "id", given)
        return {id_: new_id() if id_ in taken else id_ for id_ in given}

    def _taken_codes(self) -> set[str]:
        rows = rows_in(self.archive, TEAMS)
        return self._taken(TEAMS, "invite_code", [row["invite_code"] for row in rows])

    def _taken(self, table: Table, column: str, values: list[str]) -> set[str]:
        found: set[str] = set()
        for part in batches(values, queries.ROWS_AT_A_TIME):
            found |= queries.taken(self.session, table.model, column, part)
        return found
