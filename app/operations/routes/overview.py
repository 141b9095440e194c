"""The route that shows the administrator how the installation is doing."""

from __future__ import annotations

import platform
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from podium import __version__
from podium.accounts.authentication.callers import Administrator
from podium.core.database.migrate import is_up_to_date
from podium.core.judging_states import State
from podium.http.deps import App
from podium.http.schemas import PersonOut, ShownTime, problems
from podium.http.transactions import Reading, TransactionRoute
from podium.operations.service import status
from podium.operations.service.status import SeenWorker, ServerState

router = APIRouter(route_class=TransactionRoute, tags=["administration"])


class QueueOut(BaseModel):
    """Judgings by state; `waiting` have no verdict yet. Rejudgings count, but are not `oldest`."""

    waiting: int
    oldest_waiting_seconds: int
    by_state: dict[State, int]


class WorkerOut(BaseModel):
    """A process that judges. Not `alive`: silent for half a minute, or stopped."""

    id: str
    host: Annotated[str, Field(examples=["judge-1"])]
    process_id: int
    version: str
    alive: bool
    started_at: ShownTime
    heartbeat_at: ShownTime
    stopped_at: ShownTime | None


class IncomingOut(BaseModel):
    """A file that is on its way."""

    competition: str
    team: PersonOut
    since: ShownTime


class DatabaseOut(BaseModel):
    """What holds the rows. Not `up_to_date`: it has the schema of another version of Podium."""

    kind: Literal["sqlite", "postgresql"]
    version: str
    up_to_date: bool


class StorageOut(BaseModel):
    """Where files are. `free_bytes` is null where a store cannot tell; below `reserved_bytes`
    nothing is taken in."""

    kind: Literal["folder", "bucket"]
    free_bytes: int | None
    reserved_bytes: int


class ServerOut(BaseModel):
    """The installation. `uploads` counts all under way; `oldest_uploads` has at most a hundred."""

    version: str
    python: str
    now: ShownTime
    queue: QueueOut
    workers: list[WorkerOut]
    uploads: int
    oldest_uploads: list[IncomingOut]
    database: DatabaseOut
    storage: StorageOut


@router.get(
    "/admin/server",
    operation_id="getServer",
    summary="How the installation is doing",
    responses=problems(401, 403),
)
def get_server(_: Administrator, session: Reading, app: App) -> ServerOut:
    """For the administrator. The same numbers for machines: `/metrics`."""
    state = status.look(session)
    return ServerOut(
        version=__version__,
        python=platform.python_version(),
        now=state.now,
        queue=_queue(state),
        workers=[_worker(seen) for seen in state.workers],
        uploads=state.seen.uploads,
        oldest_uploads=[
            IncomingOut(
                competition=each.competition.slug,
                team=PersonOut(id=each.team.id, name=each.team.name),
                since=each.slot.reserved_at,
            )
            for each in state.uploads
        ],
        database=DatabaseOut(
            kind="sqlite" if app.database.is_sqlite else "postgresql",
            version=state.database_version,
            up_to_date=is_up_to_date(app.database),
        ),
        storage=StorageOut(
            kind="bucket" if app.settings.storage_url else "folder",
            free_bytes=app.storage.free_bytes(),
            reserved_bytes=app.settings.min_free_bytes,
        ),
    )


def _queue(state: ServerState) -> QueueOut:
    return QueueOut(
        waiting=state.seen.waiting,
        oldest_waiting_seconds=int(state.seen.oldest_waiting_seconds),
        by_state={each: state.seen.judgings.get(each, 0) for each in State},
    )


def _worker(seen: SeenWorker) -> WorkerOut:
    row = seen.worker
    return WorkerOut(
        id=row.id,
        host=row.host,
        process_id=row.process_id,
        version=row.version,
        alive=seen.is_alive,
        started_at=row.started_at,
        heartbeat_at=row.heartbeat_at,
        stopped_at=row.stopped_at,
    )
