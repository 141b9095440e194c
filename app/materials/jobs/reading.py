"""Reading organizers' files, writing samples, and the probes before a launch, as jobs that make
numbers and stored files. What becomes of them, the request that waits for them decides."""

from __future__ import annotations

from datetime import timedelta

from podium.application import Application
from podium.jobs.kinds import SLOW, Kind, Means
from podium.materials.service import item_files, launch, published_ids, session_files
from podium.materials.service.item_files import ItemsRead, ItemsToRead
from podium.materials.service.launch import Check, Probes
from podium.materials.service.published_ids import List, ListToRead, SampleToWrite
from podium.materials.service.session_files import SessionsRead, SessionsToRead
from podium.storage import Stored

SAMPLE_KEPT = timedelta(days=7)
"""A sample is asked for as long as a competition runs; a small child makes it anew each week."""


def _read_list(_: Application, given: ListToRead, means: Means) -> List:
    return published_ids.read_list(given, **means)


def _read_items(_: Application, given: ItemsToRead, means: Means) -> ItemsRead:
    return item_files.read(given, **means)


def _read_sessions(_: Application, given: SessionsToRead, means: Means) -> SessionsRead:
    return session_files.read(given, **means)


def _probe(_: Application, given: Probes, means: Means) -> list[Check]:
    return launch.probe(given, **means)


def _write_sample(_: Application, given: SampleToWrite, means: Means) -> Stored:
    return published_ids.write_sample(given, **means)


PUBLISHED_IDS = Kind("published-ids", ListToRead, List, work=_read_list, priority=SLOW)

ITEM_FILE = Kind("item-file", ItemsToRead, ItemsRead, work=_read_items, priority=SLOW)

SESSION_FILE = Kind(
    "session-file", SessionsToRead, SessionsRead, work=_read_sessions, priority=SLOW
)

LAUNCH_PROBES = Kind("launch-probes", Probes, list[Check], work=_probe)

SAMPLE = Kind(
    "sample",
    SampleToWrite,
    Stored,
    work=_write_sample,
    file_of=lambda stored: stored,
    kept=SAMPLE_KEPT,
)
