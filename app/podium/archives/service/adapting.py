"""Adapts rows of an archive to this installation: ids that are taken here are replaced, and
whatever a row refers to must be in the archive."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from podium.archives.queries import Row
from podium.archives.service.tables import (
    COMPETITIONS,
    JUDGINGS,
    REJUDGINGS,
    RUNS,
    STANDINGS,
    SUBMISSIONS,
    TEAMS,
    USERS,
    Table,
)
from podium.core.judging_states import State
from podium.core.leases import WorkState
from podium.core.names import name_key
from podium.errors import InvalidInput
from podium.errors.codes import ErrorCode
from podium.storage import Area
from podium.teams.service.forming import new_invite_code


@dataclass
class Adapter:
    """Maps every id of the archive, by table, to the id that it gets here."""

    archive_id: str
    slug: str
    files: set[tuple[Area, str]]
    version: int
    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    new_people: list[Row] = field(default_factory=list)
    taken_codes: set[str] = field(default_factory=set)
    _sequences: dict[int, int] = field(default_factory=dict)

    @property
    def competition_id(self) -> str:
        """The id of the competition on this installation."""
        return self.ids[COMPETITIONS.name][self.archive_id]

    def in_order(self, table: Table, rows: Iterable[Row]) -> Iterator[Row]:
        """Yields the adapted rows in order of insertion: each after the rows of its table that it
        refers to."""
        adapted = (self._adapted(table, row) for row in rows)
        yield from _survivors_first(adapted) if table is TEAMS else adapted

    def note_sequences(self, old: Sequence[int], new: Sequence[int]) -> None:
        """Notes the new sequence of each old one. Raises `InvalidInput` unless both ascend."""
        known = list(self._sequences.items())[-1:] + list(zip(old, new, strict=True))
        for (one, first), (other, second) in pairwise(known):
            if not (one < other and first < second):
                raise bad_row(SUBMISSIONS, "sequences must ascend")
        self._sequences.update(known)

    def _adapted(self, table: Table, row: Row) -> Row:
        if table is USERS:
            return row
        if table is not COMPETITIONS and row.get("competition_id", self.archive_id) != (
            self.archive_id
        ):
            raise bad_row(table, "it belongs to another competition")
        if "competition_id" in row:
            row["competition_id"] = self.competition_id
        for area, sha256 in table.files_of(row):
            if (area, sha256) not in self.files:
                raise bad_row(table, f"{sha256} names a file that is not in the archive")
        for column, target in table.references.items():
            if row.get(column) is not None:
                row[column] = self._id_here(table, target, row[column])
        if table.has_ids:
            row["id"] = self.ids[table.name][row["id"]]
        for column in table.free_ids:
            row[column] = self._within(row[column])
        return self._special(table, row)

    def _special(self, table: Table, row: Row) -> Row:
        if table is COMPETITIONS:
            row["slug"] = self.slug
            if self.version == 1 and row["visibility"] == "private":
                row["settings"] = _closed(row["settings"])
        elif table is TEAMS:
            row["name_key"] = name_key(row["name"])
            if row["invite_code"] in self.taken_codes:
                row["invite_code"] = new_invite_code()
        elif table is STANDINGS:
            row["sequence"] = self._sequence_here(table, row["sequence"])
        elif table is REJUDGINGS and "fed_until" in row:
            before = sorted(self._sequences)
            place = bisect_right(before, row["fed_until"])
            row["fed_until"] = self._sequences[before[place - 1]] if place else 0
        elif table is JUDGINGS and row["state"] == State.RUNNING:
            row["state"] = State.QUEUED.value
        elif table is RUNS:
            _wait_here(row)
        return row

    def _sequence_here(self, table: Table, sequence: int) -> int:
        if sequence not in self._sequences:
            raise bad_row(table, "its sequence is not a submission's")
        return self._sequences[sequence]

    def _id_here(self, table: Table, target: str, id_: str) -> str:
        found = self.ids[target].get(id_)
        if found is None:
            raise bad_row(table, f"it refers to a row of {target} that is not in the archive")
        return found

    def _within(self, value: object) -> object:
        """Returns a document with the replaced ids in it replaced."""
        if isinstance(value, dict):
            return {key: self._within(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self._within(member) for member in value]
        if isinstance(value, str):
            return next((known[value] for known in self.ids.values() if value in known), value)
        return value


def _wait_here(run: Row) -> None:
    if not run["is_private"]:
        run["id"] = run["judging_id"]
    if run["state"] == WorkState.RUNNING:
        # Its worker belongs to another installation, so it is queued here.
        run["state"], run["started_at"] = WorkState.QUEUED.value, None


def _closed(settings: object) -> object:
    """Returns the settings with open registration changed to invitation, which is what it meant in
    version 1 of a private competition."""
    if isinstance(settings, dict) and settings.get("registration", "open") == "open":
        return {**settings, "registration": "invite"}
    return settings


def bad_row(table: Table, why: str) -> InvalidInput:
    """Returns the error for a row that cannot be imported."""
    return InvalidInput(
        f"A row of {table.name} does not fit: {why}.", code=ErrorCode.ARCHIVE_INCONSISTENT
    )


def _survivors_first(rows: Iterable[Row]) -> Iterator[Row]:
    """Yields teams, each after the one that it was merged into."""
    waiting = {row["id"]: row for row in rows}
    while waiting:
        ready = [row for row in waiting.values() if row.get("merged_into_id") not in waiting]
        if not ready:
            raise bad_row(TEAMS, "teams were merged in a circle")
        for row in ready:
            yield waiting.pop(row["id"])
