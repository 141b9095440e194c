"""Named files in a folder or a bucket of their own: where backups lie, apart from the storage."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore

from podium.errors import NotConfigured, NotFound, Unavailable
from podium.storage.addresses import PATIENCE_SECONDS, open_store
from podium.storage.trial import reason_of_bucket

PIECE = 1 << 20
PART_BYTES = 8 << 20
PARTS_AT_ONCE = 2


class Shelf:
    """Files by name; one is there as a whole or not at all. `place` is its address, for people."""

    def __init__(self, store: ObjectStore, place: str) -> None:
        self._store = store
        self.place = place

    def put(self, name: str, source: Path) -> None:
        """Uploads a file under this name, in parts. Raises `Unavailable`."""
        with self._working(name):
            obstore.put(
                self._store, name, source, chunk_size=PART_BYTES, max_concurrency=PARTS_AT_ONCE
            )

    def get(self, name: str) -> Iterator[bytes]:
        """A file's bytes. Raises `NotFound`."""
        with self._working(name):
            for piece in obstore.get(self._store, name).stream(PIECE):
                yield bytes(piece)

    def remove(self, name: str) -> None:
        """Removes a file, or does nothing where there is none."""
        with self._working(name), suppress(FileNotFoundError):
            obstore.delete(self._store, name)

    def names(self, prefix: str) -> set[str]:
        """All names below a prefix, in full."""
        return set(self.sizes(prefix))

    def sizes(self, prefix: str) -> dict[str, int]:
        """The same with the bytes of each."""
        with self._working(prefix):
            listed = obstore.list(self._store, prefix)
            return {found["path"]: found["size"] for some in listed for found in some}

    def settle(self) -> None:
        """Returns once a power cut loses nothing of what was put; buckets promise that by `put`."""
        if isinstance(self._store, LocalStore):
            os.sync()

    @contextmanager
    def _working(self, name: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise NotFound(f"There is no {name} in the backup.") from error
        except (BaseError, OSError) as error:
            reason = str(error).partition("\n")[0]
            if "://" in self.place:
                reason = reason_of_bucket(
                    error, self.place, "the address", seconds=PATIENCE_SECONDS
                )
            raise Unavailable(f"The backup's place {self.place} does not work: {reason}") from error


def open_shelf(address: str, *, name: str) -> Shelf:
    """The shelf at a bucket's address or in a folder. `name` is the option's, for the error.

    Raises `NotConfigured`, also for a folder that is not there.
    """
    if "://" in address:
        return Shelf(open_store(address, name=name), address)
    try:
        return Shelf(LocalStore(Path(address).absolute(), automatic_cleanup=True), address)
    except (OSError, BaseError, ValueError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise NotConfigured(f"{name}: {address} cannot be used: {reason}.") from error


def make_shelf(address: str, *, name: str) -> Shelf:
    """The same; a folder is made, and none above it: a disk that is not mounted must not be taken
    for an empty place. Raises `NotConfigured`."""
    if "://" not in address:
        if re.match(r"[a-z0-9]+:/", address):
            meant = address.replace(":/", "://", 1)
            raise NotConfigured(f"{name}: {address} is not an address. Write {meant}.")
        try:
            Path(address).mkdir(mode=0o700, exist_ok=True)
        except FileExistsError as error:
            raise NotConfigured(f"{name}: {address} is not a folder. Name another one.") from error
        except FileNotFoundError as error:
            above = Path(address).absolute().parent
            raise NotConfigured(
                f"There is no folder {above}, and {name} names {address}. Make the folder, mount"
                f" its disk, or correct {name}."
            ) from error
        except OSError as error:
            message = f"{name}: {address} cannot be made: {error.strerror}."
            raise NotConfigured(message) from error
    return open_shelf(address, name=name)
