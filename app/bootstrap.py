"""The only place where adapters are chosen."""

from __future__ import annotations

import os

from app.application import Application
from app.db.engine import Database
from app.errors import NotConfigured
from app.queue.durable import DurableQueue
from app.sandbox.children import ChildSandbox
from app.settings import Settings
from app.storage.local import LocalStorage


def build(settings: Settings) -> Application:
    """Makes the collaborators for these settings; opens no connection yet."""
    if settings.storage_url:
        raise NotConfigured(
            f"PODIUM_STORAGE_URL is {settings.storage_url!r}, but this version keeps files in"
            " PODIUM_DATA_DIR only. Leave it empty."
        )
    database = Database(settings.database)
    return Application(
        settings=settings,
        database=database,
        storage=LocalStorage(settings.data_dir / "storage", min_free_bytes=settings.min_free_bytes),
        queue=DurableQueue(database),
        sandbox=ChildSandbox(threads=threads_of_a_judging(settings.judging_slots)),
    )


def threads_of_a_judging(slots: int) -> int:
    """Each of the judgings that run side by side gets its share of the processors."""
    return max(1, len(os.sched_getaffinity(0)) // slots)
