"""The only place where adapters are chosen."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from podium.application import Application
from podium.core.configuration import require_add_ons
from podium.core.database.engine import Database
from podium.errors import NotConfigured
from podium.mail import Mailer
from podium.mail.addresses import sender_named, server_at
from podium.mail.smtp import SmtpMailer
from podium.queue.durable import DurableQueue
from podium.sandbox.children import ChildSandbox
from podium.sandbox.isolation.control_groups import ControlGroups
from podium.settings import Settings
from podium.storage import Area, Storage
from podium.storage.addresses import open_store
from podium.storage.bucket import BucketStorage
from podium.storage.cache import FileCache
from podium.storage.local import LocalStorage
from podium.storage.trial import try_bucket
from podium.telemetry import from_environment

GROUPS = ControlGroups()
"""The control groups that hold a container's limits."""

OWN_BYTES = 512 << 20
"""Memory of the judging process itself, beside its children."""

MAP_FROM, TRIM_FROM = -3, -1
"""Names of two settings of the GNU C library, as `malloc.h` has them; others ignore them."""

LARGE_BLOCK = 1 << 20


def build(settings: Settings) -> Application:
    """Makes the collaborators for these settings; opens no connection yet. Raises
    `NotConfigured`. The application's settings hold the slots and the memory that were found."""
    require_add_ons()
    slots = slots_of(settings)
    found = {
        "judging_slots": slots,
        "private_slots": private_slots_of(settings, slots),
        "judging_retry_memory_bytes": retry_memory_of(settings),
    }
    settings = settings.model_copy(update=found)
    sandbox = ChildSandbox(
        threads=threads_of_a_judging(settings.judging_slots),
        is_weak_allowed=settings.weak_sandbox,
        is_warm=settings.warm_children,
        custom_metrics=settings.custom_metrics,
    )
    _refuse_readable_data(settings, sandbox.readable)
    database = Database(settings.database)
    return Application(
        settings=settings,
        database=database,
        storage=_storage(settings),
        queue=DurableQueue(database),
        sandbox=sandbox,
        mailer=mailer_of(settings),
        telemetry=from_environment(os.environ),
    )


def _refuse_readable_data(settings: Settings, readable: Sequence[Path]) -> None:
    """Raises `NotConfigured` where data lie below what every judging child may read."""
    folders = set(readable)
    for place in _places_of_data(settings):
        real = place.resolve()
        for folder in folders.intersection((real, *real.parents)):
            raise NotConfigured(
                f"Data must not be kept in {place}: every process that judges a file may read"
                f" {folder}. Set PODIUM_DATA_DIR (or PODIUM_DATABASE_URL) to another folder."
            )


def _places_of_data(settings: Settings) -> list[Path]:
    data = settings.data_dir.absolute()
    # Each of them may be a symbolic link to elsewhere.
    places = [data, *(data / name for name in ("storage", "spool", "cache", "scratch"))]
    if settings.database_file is not None:
        places += [settings.database_file, settings.database_file.parent]
    return places


def mailer_of(settings: Settings) -> Mailer | None:
    """Sends mail as the settings say; None where they name no server. Raises `NotConfigured`.

    Links in mail lead to the address of the settings: the one by which a stranger has asked may be
    the stranger's own.
    """
    url = settings.mail_url.get_secret_value()
    if not url:
        if settings.mail_from:
            raise NotConfigured("PODIUM_MAIL_FROM is used with PODIUM_MAIL_URL only.")
        return None
    if not settings.mail_from:
        raise NotConfigured("PODIUM_MAIL_URL needs PODIUM_MAIL_FROM, the address of the sender.")
    if not settings.base_url:
        raise NotConfigured(
            "PODIUM_MAIL_URL needs PODIUM_BASE_URL: links in mail lead to that address."
        )
    return SmtpMailer(server_at(url), sender_named(settings.mail_from))


def slots_of(settings: Settings) -> int:
    """Judgings at a time: as set, as far as a container's memory goes, or one for each core that
    there is memory for. Beside them may run a child for an organizer's job, and one for a private
    run where organizers have metrics."""
    beside = 1 if settings.custom_metrics == "off" else 2
    return max(1, min(settings.judging_slots or cores(), _children(settings) - beside))


def private_slots_of(settings: Settings, slots: int) -> int:
    """Private runs at a time beside so many judgings and a job: as set, or as many as judgings, as
    far as memory goes."""
    return max(1, min(settings.private_slots or slots, _children(settings) - slots - 1))


def _children(settings: Settings) -> int:
    """Children that there is memory for: in a container's limit, and, where the slots are to be
    found, on the machine."""
    memory = GROUPS.memory_bytes() or sys.maxsize
    if not settings.judging_slots:
        memory = min(memory, _kilobytes("MemAvailable") << 10)
    return (memory - OWN_BYTES) // settings.judging_memory_bytes


def retry_memory_of(settings: Settings) -> int:
    """Memory of a judging's retry: as set, as far as there is so much. A file that would use up
    everything is ended at a limit of its own, and not by the kernel, which would be our fault."""
    most = max(settings.judging_memory_bytes, _memory_limit() - OWN_BYTES)
    return min(settings.judging_retry_memory_bytes, most)


def memory_complaint(settings: Settings) -> str | None:
    """A sentence that warns of too little memory for a single judging; None where one fits."""
    limit, each = _memory_limit(), settings.judging_memory_bytes
    if each <= limit:
        return None
    return (
        f"Only {_gibibytes(limit)} of memory is available, and one judging may use"
        f" {_gibibytes(each)}: a large file may never be judged. Raise the container's limit, or"
        " lower PODIUM_JUDGING_MEMORY_BYTES."
    )


def threads_of_a_judging(slots: int) -> int:
    """Each of the judgings that run side by side gets its share of the processors."""
    return max(1, cores() // slots)


def cores() -> int:
    """Processors of this process: those that it may run on, or a container's share of them."""
    # Sets of processors (cpusets) are part of what a process may run on.
    found = len(os.sched_getaffinity(0))
    share = GROUPS.processors()
    return found if share is None else max(1, min(found, int(share)))


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
            first_to_go=[Area.SUBMISSIONS, Area.UPLOADS, Area.SECRET_UPLOADS, Area.HITS],
        ),
        min_free_bytes=settings.min_free_bytes,
    )


def try_storage(settings: Settings) -> None:
    """Raises `Unavailable`, with a sentence for operators, where a bucket that the settings name
    cannot be used. A data folder is looked at by others."""
    if settings.storage_url:
        try_bucket(settings.storage_url, name="PODIUM_STORAGE_URL")
    if settings.secret_storage_url:
        try_bucket(settings.secret_storage_url, name="PODIUM_SECRET_STORAGE_URL")


def _give_large_blocks_back() -> None:
    """Has the C library map each large block by itself, and unmap it when it is freed. Otherwise it
    keeps the parts of uploads to a bucket, for every thread that ever had some."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(MAP_FROM, LARGE_BLOCK)
        ctypes.CDLL(None).mallopt(TRIM_FROM, LARGE_BLOCK)


def _memory_limit() -> int:
    """The memory that all processes of this machine, or of this container, may use together."""
    return min(_kilobytes("MemTotal") << 10, GROUPS.memory_bytes() or sys.maxsize)


def _kilobytes(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    return int(found[1]) if found else 0


def _gibibytes(amount: int) -> str:
    return f"{amount / 2**30:.1f} GiB"
