"""The only place where adapters are chosen."""

from __future__ import annotations

import ctypes
import os
import re
from contextlib import suppress
from pathlib import Path

from app.application import Application
from app.db.engine import Database
from app.errors import NotConfigured
from app.queue.durable import DurableQueue
from app.sandbox.children import ChildSandbox
from app.settings import Settings
from app.storage import Area, Storage
from app.storage.addresses import open_store
from app.storage.bucket import BucketStorage
from app.storage.cache import FileCache
from app.storage.local import LocalStorage
from app.telemetry import from_environment

LIMITS = Path("/sys/fs/cgroup")
"""Where a container's limits stand; outside of one there is no such file, or no number in it."""

MAP_FROM, TRIM_FROM = -3, -1
"""Names of two settings of the GNU C library, as `malloc.h` has them; others ignore them."""

LARGE_BLOCK = 1 << 20


def build(settings: Settings) -> Application:
    """Makes the collaborators for these settings; opens no connection yet. Raises
    `NotConfigured`. The application's settings hold the number of slots that was found."""
    settings = settings.model_copy(update={"judging_slots": slots_of(settings)})
    database = Database(settings.database)
    return Application(
        settings=settings,
        database=database,
        storage=_storage(settings),
        queue=DurableQueue(database),
        sandbox=ChildSandbox(threads=threads_of_a_judging(settings.judging_slots)),
        telemetry=from_environment(os.environ),
    )


def slots_of(settings: Settings) -> int:
    """Judgings at a time: as set, or one for each core, and for each judging's share of memory."""
    if settings.judging_slots:
        return settings.judging_slots
    return max(1, min(cores(), _free_memory() // settings.judging_memory_bytes))


def threads_of_a_judging(slots: int) -> int:
    """Each of the judgings that run side by side gets its share of the processors."""
    return max(1, cores() // slots)


def cores() -> int:
    """Processors of this process: those that it may run on, or a container's share of them."""
    found = len(os.sched_getaffinity(0))
    quota, _, period = _limit("cpu.max").partition(" ")
    return max(1, min(found, int(quota) // int(period))) if quota.isdigit() else found


def _storage(settings: Settings) -> Storage:
    if not settings.storage_url:
        if settings.secret_storage_url:
            raise NotConfigured("PODIUM_SECRET_STORAGE_URL needs PODIUM_STORAGE_URL as well.")
        return LocalStorage(settings.data_dir / "storage", min_free_bytes=settings.min_free_bytes)
    _give_large_blocks_back()
    public = secret = open_store(settings.storage_url, name="PODIUM_STORAGE_URL")
    if settings.secret_storage_url:
        secret = open_store(settings.secret_storage_url, name="PODIUM_SECRET_STORAGE_URL")
    return BucketStorage(
        public,
        secret,
        spool=settings.data_dir / "spool",
        cache=FileCache(
            settings.data_dir / "cache",
            max_bytes=settings.cache_bytes,
            # A submission is judged once or twice, the ground truth with every one of them.
            first_to_go=[Area.SUBMISSIONS, Area.UPLOADS, Area.HITS],
        ),
        min_free_bytes=settings.min_free_bytes,
    )


def _give_large_blocks_back() -> None:
    """Has the C library map each large block by itself, and unmap it when it is freed. Otherwise it
    keeps the parts of uploads to a bucket, for every thread that ever had some."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(MAP_FROM, LARGE_BLOCK)
        ctypes.CDLL(None).mallopt(TRIM_FROM, LARGE_BLOCK)


def _free_memory() -> int:
    """What this process and its children may use: the machine's free memory, or the container's
    limit."""
    found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    limits = [int(found[1]) << 10] if found else []
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        limits += [int(text)] if (text := _limit(name)).isdigit() else []
    return min(limits, default=0)


def _limit(name: str) -> str:
    path = LIMITS / name
    return path.read_text().strip() if path.exists() else ""
