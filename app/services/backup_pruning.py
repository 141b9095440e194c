"""Old backups that go, and the files that only they had."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from podium.services.backups import DATABASE, LIST, find_backup, known_backups, moment_of, place_of
from podium.storage import Area
from podium.storage.shelf import Shelf

LONGEST_BACKUP = timedelta(days=1)
"""What has begun longer ago and has no list was broken off."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Which backups are gone, and how many files. With `other`, a backup that is being made, no
    file is: it may count on any of them."""

    backups: list[str]
    files: int
    other: str | None


def prune(shelf: Shelf, *, keep: int, now: datetime) -> Pruned:
    """Removes all but the latest `keep` complete backups of a place, what was broken off more than
    a day ago, and then every file that none of those that are left names.

    A backup loses its list first, and so is none any more, whenever this is interrupted. Raises
    `WrongState` before any file is removed where a list cannot be read, and `Unavailable`.
    """
    old = known_backups(shelf)[:-keep]
    for name in old:
        shelf.remove(f"{name}/{LIST}")
    left = set(known_backups(shelf))
    # Whatever else lies there is somebody else's.
    begun = {path.partition("/")[0] for path in shelf.names("") if path.endswith(f"/{DATABASE}")}
    begun = {name for name in begun - left if moment_of(name) is not None}
    running = {name for name in begun - set(old) if _is_young(name, now)}
    for name in begun - running:
        shelf.remove(f"{name}/{DATABASE}")
    if running:
        return Pruned(old, 0, max(running))
    named = {
        place_of(Area(area), sha256)
        for name in left
        for area, sha256 in find_backup(shelf, name=name).files
    }
    unnamed = shelf.names("files") - named
    for path in sorted(unnamed):
        shelf.remove(path)
    return Pruned(old, len(unnamed), None)


def _is_young(name: str, now: datetime) -> bool:
    moment = moment_of(name)
    return moment is not None and moment > now - LONGEST_BACKUP
