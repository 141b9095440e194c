"""Organizers' uploads: the whole request body becomes one stored file."""

from __future__ import annotations

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.http.streaming.uploads import content_digest, finished, receive_body
from podium.storage import Area, Stored


async def store_body(
    request: Request, application: Application, area: Area, *, max_bytes: int
) -> Stored:
    """Streams the body to storage and answers its hash and size; nothing remains after an error.

    The caller has checked before that this person may upload here.
    """
    digest = content_digest(request)
    settings = application.settings
    writer = await run_in_threadpool(application.storage.writer, area)
    await receive_body(
        request,
        writer,
        max_bytes=max_bytes,
        deadline_seconds=settings.upload_seconds,
        min_rate=settings.upload_min_bytes_per_second,
        digest=digest,
    )
    return await finished(writer)
