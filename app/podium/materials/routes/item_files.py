"""Routes about the item file: what organizers say about items, for metrics beyond accuracy."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from podium.accounts.authentication.callers import SignedIn
from podium.application import Application
from podium.core.access import Actor
from podium.core.models import StoredItemFile
from podium.errors.codes import ErrorCode
from podium.http.deps import App
from podium.http.schemas import OF_JOBS, problems
from podium.http.threads import in_writing_thread
from podium.http.transactions import Reading, TransactionRoute, Writing
from podium.jobs.waiting import require_worker, result_of
from podium.materials.jobs import ITEM_FILE
from podium.materials.schemas import ItemFileOut
from podium.materials.service import item_files
from podium.materials.service.item_files import ItemsToRead
from podium.scoring.task import Task
from podium.submissions.routes.organizers_files import file_body, store_file

router = APIRouter(route_class=TransactionRoute, tags=["item file"])

TrainingUsers = Annotated[
    int | None,
    Query(description="How many users the training data have; needed with a column users."),
]


@router.put(
    "/admin/competitions/{slug}/items",
    operation_id="putItemFile",
    summary="Say what is known about the items",
    status_code=201,
    response_model=ItemFileOut,
    responses={
        200: {"description": "There was another item file before.", "model": ItemFileOut},
        **problems(
            ErrorCode.BAD_LABEL,
            ErrorCode.BAD_TRAINING_USERS,
            ErrorCode.CHANGED_MEANWHILE,
            ErrorCode.FIXED_AT_LAUNCH,
            *OF_JOBS,
            reads_file=True,
        ),
    },
    openapi_extra=file_body(
        "CSV or Parquet in any container: `item`, perhaps `users`, and any numeric features."
    ),
)
async def put_item_file(
    request: Request,
    response: Response,
    application: App,
    actor: SignedIn,
    slug: str,
    training_users: TrainingUsers = None,
) -> ItemFileOut:
    """Read in the sandbox. All rows together are the catalogue. A launched competition keeps the
    file that it has."""
    competition_id, task = await run_in_threadpool(
        _prepared, application, actor, slug, training_users
    )
    uploaded = await store_file(
        request, application, actor, item_files.ITEMS_AREA, max_bytes=item_files.MAX_UPLOAD_BYTES
    )
    given = await result_of(
        application,
        ITEM_FILE,
        competition_id=competition_id,
        arguments=ItemsToRead(task, training_users, uploaded),
        actor=actor,
    )
    shown, is_new = await in_writing_thread(partial(_put, application, actor, slug, given))
    response.status_code = 201 if is_new else 200
    return shown


@router.get(
    "/admin/competitions/{slug}/items",
    operation_id="getItemFile",
    summary="The item file in numbers",
)
def get_item_file(session: Reading, actor: SignedIn, slug: str) -> ItemFileOut:
    """Never the file itself."""
    return _shown(item_files.find(session, actor=actor, slug=slug))


@router.delete(
    "/admin/competitions/{slug}/items",
    operation_id="deleteItemFile",
    summary="Take the item file away",
    status_code=204,
    responses=problems(ErrorCode.FIXED_AT_LAUNCH),
)
def delete_item_file(session: Writing, actor: SignedIn, slug: str) -> None:
    """Before the launch."""
    item_files.remove(session, actor=actor, slug=slug)


def _prepared(
    application: Application, actor: Actor, slug: str, training_users: int | None
) -> tuple[str, Task]:
    with application.database.read() as session:
        found = item_files.prepare(session, actor=actor, slug=slug, training_users=training_users)
    require_worker(application)
    return found


def _put(
    application: Application, actor: Actor, slug: str, given: item_files.StoredItems
) -> tuple[ItemFileOut, bool]:
    with application.database.write() as session:
        row, is_new = item_files.put(session, actor=actor, slug=slug, given=given)
        return _shown(row), is_new


def _shown(row: StoredItemFile) -> ItemFileOut:
    return ItemFileOut.of(
        row,
        **row.summary,
        bytes=row.upload_bytes,
        sha256=row.upload_sha256,
        canonical_sha256=row.sha256,
    )
