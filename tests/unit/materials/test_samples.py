"""Samples whose names vanish under a reader, and what a killed process left of one."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from podium.materials.jobs import samples
from podium.materials.jobs.samples import Samples
from podium.materials.service.published_ids import Sample

CONTENT = b"session_type,labels\n1_clicks,\n"
SAMPLE = cast(Sample, SimpleNamespace(competition_id="c1", etag="first"))
LATER = cast(Sample, SimpleNamespace(competition_id="c1", etag="later"))


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Samples:
    """Samples of an installation whose child writes the same text for everything."""

    @contextmanager
    def means(_: object) -> Iterator[dict[str, Any]]:
        yield {}

    def write(_: Sample) -> Path:
        (tmp_path / "written").write_bytes(CONTENT)
        return tmp_path / "written"

    monkeypatch.setattr(samples, "means_in_request", means)
    monkeypatch.setattr(samples, "write_sample", write)
    return _samples(tmp_path)


def _samples(folder: Path) -> Samples:
    settings = SimpleNamespace(data_dir=folder, min_free_bytes=0)
    return Samples(cast(Any, SimpleNamespace(settings=settings)))


def _descriptors() -> int:
    # The event loop that a test began and ended is a cycle.
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_sample_that_was_found_can_be_read_when_its_name_has_gone(made: Samples) -> None:
    async def both() -> bytes:
        found = await made.find(SAMPLE)
        await made.find(LATER)
        assert found.size == len(CONTENT)
        return b"".join(found.pieces(8, len(CONTENT)))

    assert asyncio.run(both()) == CONTENT[8:]


def test_samples_that_nobody_reads_leave_no_descriptors(made: Samples) -> None:
    async def refused() -> None:
        for _ in range(40):
            # An answer that is refused never begins.
            (await made.find(SAMPLE)).pieces(0, 1)

    before = _descriptors()
    asyncio.run(refused())
    # A thread that is about to end may still hold its last result.
    assert _descriptors() < before + 10


def test_what_a_killed_process_left_is_removed(tmp_path: Path, made: Samples) -> None:
    asyncio.run(made.find(SAMPLE))
    kept = sorted((tmp_path / "samples").glob("*.csv"))
    assert len(kept) == 1
    left, young = (tmp_path / "samples" / "unfinished" / name for name in ("a" * 32, "b" * 32))
    for path in (left, young):
        path.write_bytes(b"half")
    for path in (left, *kept):
        os.utime(path, (time.time() - 86400,) * 2)
    _samples(tmp_path)
    assert not left.exists()
    # Somebody may still be at it.
    assert young.exists()
    assert sorted((tmp_path / "samples").glob("*.csv")) == kept
