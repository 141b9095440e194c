"""A check for stored files that the database refers to: their disk may be missing while it is
there."""

from __future__ import annotations

from dataclasses import dataclass

from podium.core.database.engine import Database
from podium.operations import queries
from podium.operations.service.backups import FILES
from podium.storage import Storage

FILES_OF_A_COLUMN = 10
"""Files that are checked for each column that refers to any."""


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """The number of checked files, and the missing ones of them, as `area/SHA-256`."""

    looked_for: int
    lost: list[str]

    @property
    def are_all_lost(self) -> bool:
        """True if some were expected, and none was found."""
        return 0 < self.looked_for == len(self.lost)


def look_for_files(database: Database, storage: Storage) -> KeptFiles:
    """Checks for some files of each kind, at most a hundred; `podium backup` checks all of them."""
    with database.read() as session:
        named = {
            (area, sha256)
            for area, column in FILES
            for sha256 in queries.hashes_in(session, column, most=FILES_OF_A_COLUMN)
        }
    lost = [one for one in sorted(named) if storage.size(*one) is None]
    return KeptFiles(len(named), [f"{area}/{sha256}" for area, sha256 in lost])
