"""Reading organizers' files, writing samples, and the probes before a launch, as jobs that make
numbers and stored files. What becomes of them, the request that waits for them decides."""

from __future__ import annotations

from datetime import timedelta

from podium.application import Application
from podium.jobs.kinds import SLOW, JobKind, Means
from podium.materials.service import item_files, launch, published_ids, session_files
from podium.materials.service.item_files import ItemsToRead, StoredItems
from podium.materials.service.launch import Check, Probes
from podium.materials.service.published_ids import List, ListToRead, SampleToWrite
from podium.materials.service.session_files import SessionsToRead, StoredSessions
from podium.storage import Stored

SAMPLE_KEPT = timedelta(days=7)
"""A sample is asked for as long as a competition runs; a small child makes it anew each week."""


def _read_list(_: Application, given: ListToRead, means: Means) -> List:
    return published_ids.read_list(given, **means)


def _read_items(_: Application, given: ItemsToRead, means: Means) -> StoredItems:
    return item_files.read(given, **means)


def _read_sessions(_: Application, given: SessionsToRead, means: Means) -> StoredSessions:
    return session_files.read(given, **means)


def _probe(_: Application, given: Probes, means: Means) -> list[Check]:
    return launch.probe(given, **means)


def _write_sample(_: Application, given: SampleToWrite, means: Means) -> Stored:
    return published_ids.write_sample(given, **means)


PUBLISHED_IDS = JobKind("published-ids", ListToRead, List, work=_read_list, priority=SLOW)

ITEM_FILE = JobKind("item-file", ItemsToRead, StoredItems, work=_read_items, priority=SLOW)

SESSION_FILE = JobKind(
    "session-file", SessionsToRead, StoredSessions, work=_read_sessions, priority=SLOW
)

LAUNCH_PROBES = JobKind("launch-probes", Probes, list[Check], work=_probe)

SAMPLE = JobKind(
    "sample",
    SampleToWrite,
    Stored,
    work=_write_sample,
    file_of=lambda stored: stored,
    kept=SAMPLE_KEPT,
)
