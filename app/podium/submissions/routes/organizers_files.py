"""Organizers' files on their way into the store: the body of a request, or a finished upload.

No submissions; but resumable uploads are at home here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Protocol, TypeVar

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.core.access import Actor
from podium.core.versions import AGAIN_SECONDS, VersionState
from podium.errors import refuse_large_file
from podium.http.deps import App
from podium.http.schemas import CONTENT_DIGEST, OpenApi, ProblemOut, header_parameters, raw_body
from podium.http.streaming.uploads import content_digest
from podium.http.threads import in_upload_thread, with_store
from podium.jobs.kinds import JobKind
from podium.jobs.waiting import ended, require_worker, result_of
from podium.sandbox.answers import error_for
from podium.storage import Area, Stored
from podium.submissions.routes.intake import Held, clean_up, limits_of, stored_file
from podium.submissions.routes.references import FinishedUpload, reference_in
from podium.submissions.service import composing
from podium.submissions.service.composing import WholeUpload
from podium.submissions.service.uploads import UploadLease


class _VersionDocument(Protocol):
    """The document of a file that becomes a numbered version once it was checked."""

    @property
    def id(self) -> str: ...

    @property
    def version(self) -> int | None: ...

    @property
    def status(self) -> str: ...

    @property
    def problem(self) -> ProblemOut | None: ...


Version = TypeVar("Version", bound=_VersionDocument)

Given = TypeVar("Given")
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class FileSender:
    """The caller who sends a file, with the request that brings it, and the answer to that."""

    request: Request
    response: Response
    app: Application
    actor: Actor


def _sender(request: Request, response: Response, app: App, actor: SignedIn) -> FileSender:
    return FileSender(request, response, app, actor)


SignedInSender = Annotated[FileSender, Depends(_sender)]


def file_body(description: str) -> OpenApi:
    """The request body of a route that takes an organizer's file, for its `openapi_extra=`."""
    described = raw_body(f"{description} JSON names a finished upload that is this file.")
    schema = {"$ref": "#/components/schemas/FinishedUpload"}
    described["requestBody"]["content"]["application/json"] = {"schema": schema}
    return described | {"parameters": header_parameters(CONTENT_DIGEST)}


async def store_file(sender: FileSender, area: Area, *, max_bytes: int) -> Stored:
    """Stores the body in this area, or what was uploaded before and the body names; answers its
    hash and size.

    The caller has checked before that this person may send such a file: an upload gives no right.
    A repeated request gets the same file without its bytes being written again. Raises what
    `stored_file` raises, `NotFound`, `WrongState` (`upload-incomplete`, `upload-busy`,
    `upload-used`, `upload-taken-over`) and `InvalidInput` (`digest-mismatch`).
    """
    app = sender.app
    given, request = await reference_in(sender.request, FinishedUpload, may_be_file=True)
    digest, upload = content_digest(request), None
    if given is not None:
        begun = await in_upload_thread(partial(_begin, sender, area, given, max_bytes))
        if isinstance(begun, Stored):
            return begun
        upload = begun
    held, start = Held(app, upload=upload), partial(app.storage.writer, area)
    async with stored_file(request, held, start, max_bytes=max_bytes, digest=digest) as (stored, _):
        if upload is not None:
            await in_upload_thread(partial(_become, app, upload.lease, area, stored))
    if upload is not None:
        await with_store(partial(clean_up, app, upload))
    return stored


async def read_file(
    sender: FileSender,
    kind: JobKind[Given, Read],
    given: Callable[[Stored], Given],
    *,
    competition_id: str,
    area: Area,
    max_bytes: int,
) -> Read:
    """Stores the file and has it read by a job, whose arguments `given` makes. Raises what
    `store_file` and `result_of` raise."""
    await run_in_threadpool(require_worker, sender.app)
    stored = await store_file(sender, area, max_bytes=max_bytes)
    return await result_of(
        sender.app, kind, competition_id=competition_id, arguments=given(stored), actor=sender.actor
    )


async def checked_version(
    response: Response,
    app: Application,
    *,
    accept: Callable[[], tuple[str, str | None]],
    look: Callable[[str], Version],
    address: str,
) -> Version:
    """Has a stored file checked and answers what became of it, or the upload that is still checked.

    `accept` answers the id of the upload and that of the job that checks it, None where the file is
    a version already; versions are below `address`. Raises the problem of a file that was rejected.
    """
    upload_id, job_id = await in_upload_thread(accept)
    if job_id is not None:
        await ended(app, job_id)
    shown = await run_in_threadpool(look, upload_id)
    if shown.problem is not None:
        raise error_for(shown.problem)
    name = shown.id if shown.version is None else shown.version
    response.headers["Location"] = f"{address}/{name}"
    response.status_code = 200 if job_id is None else 201
    if shown.status == VersionState.CHECKING:
        response.status_code = 202
        response.headers["Retry-After"] = str(AGAIN_SECONDS)
    return shown


def _begin(
    sender: FileSender, area: Area, given: FinishedUpload, max_bytes: int
) -> WholeUpload | Stored:
    """The upload to compose; or the file that it has become already."""
    app, actor = sender.app, sender.actor
    with app.database.write(is_minor=True) as session:
        earlier, length = composing.earlier_file(
            session, upload_id=given.upload_id, actor=actor, area=area
        )
        refuse_large_file(length or 0, max_bytes=max_bytes)
        if earlier is not None:
            return earlier
        return composing.lease_whole(
            session,
            upload_id=given.upload_id,
            sha256=given.sha256,
            actor=actor,
            limits=limits_of(app),
        )


def _become(app: Application, lease: UploadLease, area: Area, stored: Stored) -> None:
    with app.database.write(is_minor=True) as session:
        composing.become_file(session, lease=lease, area=area, stored=stored)
