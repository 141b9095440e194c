"""Routes about the item file: what organizers say about items, for metrics beyond accuracy."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query

from podium.accounts.authentication.callers import SignedIn
from podium.core.models import StoredItemFile
from podium.errors.codes import ErrorCode
from podium.http.schemas import OF_JOBS, problems
from podium.http.transactions import Reading, TransactionRoute, Writing, read_with, write_with
from podium.materials.jobs import ITEM_FILE
from podium.materials.schemas import ItemFileOut
from podium.materials.service import item_files
from podium.materials.service.item_files import ItemsToRead
from podium.submissions.routes.organizers_files import SignedInSender, file_body, read_file

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
    sender: SignedInSender, slug: str, training_users: TrainingUsers = None
) -> ItemFileOut:
    """Read in the sandbox. All rows together are the catalogue. A launched competition keeps the
    file that it has."""
    app, actor = sender.app, sender.actor
    competition_id, task = await read_with(
        app, item_files.prepare, actor=actor, slug=slug, training_users=training_users
    )
    given = await read_file(
        sender,
        ITEM_FILE,
        partial(ItemsToRead, task, training_users),
        competition_id=competition_id,
        area=item_files.ITEMS_AREA,
        max_bytes=item_files.MAX_UPLOAD_BYTES,
    )
    row, is_new = await write_with(app, item_files.put, actor=actor, slug=slug, given=given)
    sender.response.status_code = 201 if is_new else 200
    return _shown(row)


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


def _shown(row: StoredItemFile) -> ItemFileOut:
    return ItemFileOut.of(
        row,
        **row.summary,
        bytes=row.upload_bytes,
        sha256=row.upload_sha256,
        canonical_sha256=row.sha256,
    )
