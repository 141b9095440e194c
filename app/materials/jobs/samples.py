"""Sample submissions as files: each is made once for a version of what it is made from, by a child,
and then served from the disk. Whoever asks meanwhile waits without a thread."""

from __future__ import annotations

import asyncio
import hashlib
import os
import weakref
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.errors import Unavailable
from podium.errors.codes import ErrorCode
from podium.materials.jobs.reading import means_in_request
from podium.materials.service.published_ids import Sample, write_sample
from podium.storage import READ_PIECE
from podium.storage.unfinished import UnfinishedFile, make_folder, regular_file, remove_old

KEPT_SECONDS = 3600.0
"""From which age an unfinished sample is removed: nobody is at it any more."""

ATTEMPTS = 3
"""How often a sample is looked for that others make a new version of meanwhile."""


class OpenSample:
    """A sample that can be read whatever becomes of its name. It closes with the last answer that
    refers to it, also where that never begins."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        weakref.finalize(self, os.close, descriptor)
        self.size = os.fstat(descriptor).st_size

    def pieces(self, start: int, stop: int) -> Iterator[bytes]:
        """The bytes from `start` to before `stop`."""
        while start < stop and (
            piece := os.pread(self._descriptor, min(READ_PIECE, stop - start), start)
        ):
            start += len(piece)
            yield piece


class Samples:
    """The sample submissions on this machine's disk. `find` is for the event loop's thread."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._folder = application.settings.data_dir.absolute() / "samples"
        self._unfinished = self._folder / "unfinished"
        # What a process that was killed left.
        remove_old(self._unfinished, older_than_seconds=KEPT_SECONDS)
        self._making: dict[Path, asyncio.Task[None]] = {}

    async def find(self, sample: Sample) -> OpenSample:
        """The file, opened: whoever makes the next version removes this one. Raises `Unavailable`
        where it could not be made."""
        path = self._folder / _name(sample)
        for _ in range(ATTEMPTS):
            found = await run_in_threadpool(_opened, path)
            if found is not None:
                return found
            making = self._making.get(path)
            if making is None:
                making = asyncio.create_task(run_in_threadpool(self._make, sample, path))
                self._making[path] = making
                making.add_done_callback(partial(self._forget, path))
            # Whoever goes away does not take the file from those who stay.
            await asyncio.shield(making)
        raise Unavailable("The sample changes right now. Try again.", code=ErrorCode.BUSY)

    def _forget(self, path: Path, making: asyncio.Task[None]) -> None:
        del self._making[path]
        # Looked at, because whoever waited for it may have gone away.
        if not making.cancelled():
            making.exception()

    def _make(self, sample: Sample, path: Path) -> None:
        with means_in_request(self._application) as means:
            written = write_sample(sample, **means)
            make_folder(self._unfinished)
            remove_old(self._unfinished, older_than_seconds=KEPT_SECONDS)
            file = UnfinishedFile(
                self._unfinished, min_free_bytes=self._application.settings.min_free_bytes
            )
            try:
                with regular_file(written) as stream:
                    while piece := stream.read(READ_PIECE):
                        file.write(piece)
                file.close()
                file.path.rename(path)
            finally:
                file.abort()
        # What it was made from is no more: nobody asks for the older ones.
        for other in self._folder.glob(f"{sample.competition_id}.*"):
            if other != path:
                with suppress(OSError):
                    other.unlink()


def _opened(path: Path) -> OpenSample | None:
    try:
        return OpenSample(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except FileNotFoundError:
        return None


def _name(sample: Sample) -> str:
    version = hashlib.sha256(sample.etag.encode()).hexdigest()[:32]
    return f"{sample.competition_id}.{version}.csv"
