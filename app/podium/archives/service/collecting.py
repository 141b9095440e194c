"""Collects an archive's small parts from one view of the database, and names its large ones.

First come the parts that every organizer may have: settings, teams, submissions with their hashes,
signed receipts, boards. With `with_secrets` the tables follow, and the stored files that they name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import IO

from podium.archives import queries
from podium.archives.queries import Row
from podium.archives.service.rows import line_of
from podium.archives.service.tables import COMPETITIONS, TABLES, USERS, Table
from podium.core.configuration import settings_of
from podium.core.database.engine import ReadSession
from podium.core.models import Competition, Team
from podium.errors import StoredFileCorrupt
from podium.standings.service.digits import shown_score
from podium.storage import Area, Storage
from podium.submissions.service import receipt_keys, receipts

TEAM_COLUMNS = ("id", "name", "tags", "created_at", "disqualified_at", "merged_into_id")

FILE_AREAS: Mapping[Area, str] = {
    Area.SUBMISSIONS: "submissions",
    Area.FILES: "files",
    Area.GROUND_TRUTH: "ground-truth",
    Area.HITS: "hits",
    Area.METRICS: "metrics",
}
"""The names of the store's areas in an archive."""


@dataclass(frozen=True, slots=True)
class SpooledMember:
    """A member in the spool: its offset, its size in bytes, and its SHA-256 (hex)."""

    name: str
    start: int
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StoredPart:
    """A member in the store; its name ends with its SHA-256."""

    name: str
    area: Area
    sha256: str
    size: int


@dataclass
class Collected:
    """All that an archive will hold. The caller closes the spool."""

    slug: str
    with_secrets: bool
    made_at: datetime
    spool: IO[bytes]
    parts: list[SpooledMember] = field(default_factory=list)
    stored: list[StoredPart] = field(default_factory=list)

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Writes a member to the spool."""
        start, digest = self.spool.tell(), hashlib.sha256()
        for piece in pieces:
            self.spool.write(piece)
            digest.update(piece)
        size = self.spool.tell() - start
        self.parts.append(SpooledMember(name, start, size, digest.hexdigest()))


def collect(
    session: ReadSession,
    *,
    competition: Competition,
    storage: Storage,
    spool: IO[bytes],
    documents: Iterable[tuple[str, bytes]],
    with_secrets: bool,
    now: datetime,
) -> Collected:
    """Collects everything but the bytes of stored files. `documents` are as the API serves them.
    Requires a key that signs receipts.

    Raises `StoredFileCorrupt` if a file is missing from the store: better now than in mid-stream.
    """
    found = Collected(competition.slug, with_secrets, now.astimezone(UTC), spool)
    settings = queries.rows_of(
        session,
        COMPETITIONS.model,
        COMPETITIONS.columns,
        within="id",
        competition_id=competition.id,
    )
    found.add("competition.json", (line_of(row) for row in settings))
    found.add("teams.jsonl", _teams(session, competition))
    found.add("submissions.jsonl", _submissions(session, competition))
    found.add("receipts.jsonl", _receipts(session, competition))
    for name, body in documents:
        found.add(name, [body])
    if with_secrets:
        _collect_tables(session, competition, storage, found)
    return found


def _teams(session: ReadSession, competition: Competition) -> Iterator[bytes]:
    members = queries.members_by_team(session, competition_id=competition.id)
    for row in queries.rows_of(
        session,
        Team,
        TEAM_COLUMNS,
        within="competition_id",
        competition_id=competition.id,
    ):
        yield line_of(row | {"members": members.get(row["id"], [])})


def _submissions(session: ReadSession, competition: Competition) -> Iterator[bytes]:
    """Yields submissions with their scores as shown, private ones only after the reveal."""
    settings = settings_of(competition)
    private: Mapping[str, Fraction] = {}
    if competition.revealed_at is not None:
        private = queries.private_scores(session, competition_id=competition.id)
    for row in queries.submissions_shown(session, competition_id=competition.id):
        exact = {"public_score": row.pop("score"), "private_score": private.get(row["judging_id"])}
        shown = {
            name: None if score is None else float(shown_score(score, settings))
            for name, score in exact.items()
        }
        team = {"id": row.pop("team_id"), "name": row.pop("team_name")}
        del row["judging_id"]
        yield line_of({"team": team} | row | shown)


def _receipts(session: ReadSession, competition: Competition) -> Iterator[bytes]:
    """Yields each receipt as a line, byte for byte as the submission's team gets it."""
    for document in receipts.all_receipts(session, competition=competition):
        yield receipt_keys.signed(session, document) + b"\n"


def _collect_tables(
    session: ReadSession, competition: Competition, storage: Storage, found: Collected
) -> None:
    people: set[str] = set()
    files: set[tuple[Area, str]] = set()
    for table in TABLES:
        if table is not USERS:
            rows = queries.rows_of(
                session,
                table.model,
                table.columns,
                within=table.within,
                competition_id=competition.id,
            )
            found.add(f"tables/{table.name}.jsonl", _noting(table, rows, people, files))
    accounts = queries.users_with_ids(session, USERS.columns, sorted(people))
    found.add(f"tables/{USERS.name}.jsonl", (line_of(row) for row in accounts))
    for area, sha256 in sorted(files):
        found.stored.append(_stored_part(storage, area, sha256))


def _noting(
    table: Table,
    rows: Iterable[Row],
    people: set[str],
    files: set[tuple[Area, str]],
) -> Iterator[bytes]:
    """Yields the rows as lines; adds the accounts and files that they name to `people` and
    `files`."""
    of_people = [column for column, target in table.references.items() if target == USERS.name]
    for row in rows:
        people.update(row[column] for column in of_people if row[column] is not None)
        files.update(table.files_of(row))
        yield line_of(row)


def _stored_part(storage: Storage, area: Area, sha256: str) -> StoredPart:
    size = storage.size(area, sha256)
    if size is None:
        raise StoredFileCorrupt(
            f"The stored file {FILE_AREAS[area]}/{sha256} is missing, so nothing was exported."
            " Restore it from a backup."
        )
    return StoredPart(f"files/{FILE_AREAS[area]}/{sha256}", area, sha256, size)
