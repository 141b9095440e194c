"""Stores of an installation, seen past the code under test: a folder, a bucket."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Protocol

import obstore
from obstore.store import S3Store

from podium.storage import Storage
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from podium.storage.local import LocalStorage
from tests.builders.servers.s3 import S3Server

LETTERS_OF_A_HASH = 64


class Store(Protocol):
    """Files by their hash; `settings` is what tells an installation of it."""

    settings: dict[str, str]
    kind: str

    def read(self, area: str, sha256: str) -> bytes | None:
        """The bytes under this name, whatever they are."""

    def names(self, area: str) -> set[str]:
        """All hashes of an area."""

    def left_over(self) -> list[str]:
        """Files that are neither stored ones nor local copies of one."""

    def storage(self) -> Storage:
        """The product's own, for sweeping."""


class Folder:
    """The data folder itself."""

    kind = "folder"

    def __init__(self, data: Path) -> None:
        self.settings: dict[str, str] = {}
        self._folder = data / "storage"

    def read(self, area: str, sha256: str) -> bytes | None:
        """The bytes under this name, whatever they are."""
        path = self._folder / area / sha256[:2] / sha256[2:4] / sha256
        return path.read_bytes() if path.is_file() else None

    def names(self, area: str) -> set[str]:
        """All hashes of an area."""
        return {path.name for path in (self._folder / area).rglob("?" * LETTERS_OF_A_HASH)}

    def left_over(self) -> list[str]:
        """Unfinished files, and those that were set aside."""
        folders = (self._folder / "unfinished", self._folder / "set-aside")
        found = (path for folder in folders for path in folder.rglob("*"))
        return [str(path) for path in found if path.is_file()]

    def storage(self) -> Storage:
        """The product's own, for sweeping."""
        return LocalStorage(self._folder, min_free_bytes=0)


class Bucket:
    """A prefix of a bucket. The installation may reach it by another `endpoint` than we do."""

    kind = "bucket"

    def __init__(
        self, data: Path, server: S3Server, prefix: str, *, endpoint: str | None = None
    ) -> None:
        address = server.address("faults", prefix)
        self.settings = {
            **server.environment,
            "PODIUM_STORAGE_URL": address.replace(server.endpoint, endpoint or server.endpoint),
        }
        self._data = data
        self._store = S3Store(
            "faults",
            prefix=prefix,
            endpoint=server.endpoint,
            access_key_id=server.environment["AWS_ACCESS_KEY_ID"],
            secret_access_key=server.environment["AWS_SECRET_ACCESS_KEY"],
            region=server.environment["AWS_REGION"],
            client_options={"allow_http": True},
        )

    def read(self, area: str, sha256: str) -> bytes | None:
        """The bytes under this name, whatever they are."""
        try:
            return bytes(obstore.get(self._store, f"{area}/{sha256}").bytes())
        except FileNotFoundError:
            return None

    def names(self, area: str) -> set[str]:
        """All hashes of an area."""
        return {path.rpartition("/")[2] for path in self._keys(area)}

    def left_over(self) -> list[str]:
        """Copies that were set aside, and what was collected or fetched on this machine."""
        local = (*self._data.glob("spool/*"), *self._data.glob("cache/unfinished/*"))
        return [*self._keys("set-aside"), *map(str, local)]

    def storage(self) -> Storage:
        """The product's own, for sweeping."""
        cache = FileCache(self._data / "cache", max_bytes=1 << 30, first_to_go=[])
        spool = self._data / "spool"
        return BucketStorage(self._store, self._store, spool=spool, cache=cache, min_free_bytes=0)

    def _keys(self, prefix: str) -> list[str]:
        return [found["path"] for some in obstore.list(self._store, prefix) for found in some]


def is_whole(store: Store, area: str, sha256: str) -> bool:
    """True if there are bytes under this name, and the right ones."""
    content = store.read(area, sha256)
    return content is not None and hashlib.sha256(content).hexdigest() == sha256
