"""The routes that make a competition's files of interactions, and that describe its training
data."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from podium.accounts.authentication.callers import MaybeActor
from podium.errors.codes import ErrorCode
from podium.http.schemas import OF_JOBS, problems
from podium.http.transactions import Reading, TransactionRoute, read_with
from podium.materials.routes.ground_truth import take_upload
from podium.materials.schemas import VersionOut
from podium.materials.schemas.interactions import InteractionParams, StatisticsOut
from podium.materials.service import interactions, preparations, statistics
from podium.submissions.routes.organizers_files import SignedInSender, file_body

router = APIRouter(route_class=TransactionRoute)


@router.post(
    "/admin/competitions/{slug}/interactions",
    operation_id="uploadInteractions",
    summary="Upload interactions, get a competition",
    status_code=201,
    response_model=VersionOut,
    tags=["ground truth"],
    responses={
        200: {
            "description": "These bytes, prepared like this, are a version.",
            "model": VersionOut,
        },
        202: {"description": "Still being prepared; look at `Location`.", "model": VersionOut},
        **problems(
            ErrorCode.BAD_PREPARATION,
            ErrorCode.FIXED_AT_LAUNCH,
            ErrorCode.GROUND_TRUTH_CHECKING,
            ErrorCode.SETTINGS_CHANGED,
            *OF_JOBS,
            reads_file=True,
        ),
    },
    openapi_extra=file_body(
        "Interactions, one a row: CSV, tabs, MovieLens' `::`, JSON lines or Parquet; plain, gzip"
        " or zstd."
    ),
)
async def post_interactions(
    sender: SignedInSender, slug: str, params: Annotated[InteractionParams, Query()]
) -> VersionOut:
    """Some interactions of users are hidden: they are the draft's ground truth, and their users
    the published ids. Participants get the others as `train.parquet` (or `train.csv`), with
    `items.csv`, `report.md` and `dataset.json`; `items.csv` is the item file, too, unless you have
    uploaded one. What chance decides, a secret of the competition decides: the same file and
    options give the same files again.

    Settings that a new draft begins with (`objectives`, `id_column`) become those that the file
    asks for; `query_ids` and `item_ids` become `string` where ids are texts. The version's
    `preparation` says which were changed (`settings`), and what was kept, dropped and hidden."""
    recipe = interactions.recipe_of(params.model_dump())
    require = preparations.require_preparable
    await read_with(sender.app, require, actor=sender.actor, slug=slug, given="Interactions")
    return await take_upload(sender, slug, recipe)


@router.get(
    "/competitions/{slug}/statistics",
    operation_id="getStatistics",
    summary="Training data statistics",
    tags=["files"],
)
def get_statistics(session: Reading, actor: MaybeActor, slug: str) -> StatisticsOut:
    """Of competitions that were prepared from interactions. All figures are of the training set:
    none depends on what is hidden."""
    return StatisticsOut.model_validate(statistics.find(session, actor=actor, slug=slug))
