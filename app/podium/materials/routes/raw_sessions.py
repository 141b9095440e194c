"""The route that makes a competition's files of raw sessions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from podium.errors.codes import ErrorCode
from podium.http.schemas import OF_JOBS, problems
from podium.http.transactions import read_with
from podium.materials.routes.ground_truth import take_upload
from podium.materials.schemas import VersionOut
from podium.materials.service import preparations, raw_sessions
from podium.preparation.clickstreams import StreamOptions
from podium.preparation.described import described_options
from podium.preparation.options import CutOptions
from podium.submissions.routes.organizers_files import SignedInSender, file_body

router = APIRouter(tags=["ground truth"])

_MEANINGS = {
    each.name: each.about.meaning
    for options in (CutOptions, StreamOptions)
    for each in described_options(options)
}


def _described(name: str) -> Any:  # noqa: ANN401 - what FastAPI declares is of no type of ours
    return Query(description=_MEANINGS[name])


@router.post(
    "/admin/competitions/{slug}/raw-sessions",
    operation_id="uploadRawSessions",
    summary="Upload raw sessions, get a competition",
    status_code=201,
    response_model=VersionOut,
    responses={
        200: {"description": "These bytes, split like this, are a version.", "model": VersionOut},
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
        "OTTO's raw sessions as JSON lines, or a clickstream as CSV or Parquet; plain or packed."
    ),
)
async def post_raw_sessions(
    sender: SignedInSender,
    slug: str,
    days: Annotated[float, _described("days")] = CutOptions.days,
    columns: Annotated[str | None, _described("columns")] = StreamOptions.columns,
    time_unit: Annotated[str, _described("time_unit")] = StreamOptions.time_unit,
    ids: Annotated[str, _described("ids")] = StreamOptions.ids,
) -> VersionOut:
    """A draft gets its ground truth, its published ids, and the files `train_sessions.jsonl` and
    `test_sessions.jsonl`; the sample submission follows from the ids. The sessions are cut by a
    secret of the competition, and the version's `preparation` tells what was made of them. Where
    ids are texts, `item_names.csv` tells participants which number stands for which item."""
    recipe = raw_sessions.recipe_of(days=days, columns=columns, time_unit=time_unit, ids=ids)
    require = preparations.require_preparable
    await read_with(sender.app, require, actor=sender.actor, slug=slug, given="Raw sessions")
    return await take_upload(sender, slug, recipe)
