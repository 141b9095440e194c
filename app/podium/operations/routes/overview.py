"""The route that shows the administrator how the installation is doing."""

from __future__ import annotations

import platform

from fastapi import APIRouter

from podium import __version__
from podium.accounts.authentication.callers import Administrator
from podium.core.database.migrate import is_up_to_date
from podium.core.judging_states import State
from podium.http.deps import App
from podium.http.schemas import PersonOut, problems
from podium.http.transactions import Reading, TransactionRoute
from podium.operations.schemas import (
    BackupOut,
    DatabaseOut,
    IncomingOut,
    QueueOut,
    ServerOut,
    StorageOut,
    WorkerOut,
)
from podium.operations.service import status
from podium.operations.service.status import ServerState

router = APIRouter(route_class=TransactionRoute, tags=["administration"])


@router.get(
    "/admin/server",
    operation_id="getServer",
    summary="How the installation is doing",
    responses=problems(403),
)
def get_server(_: Administrator, session: Reading, app: App) -> ServerOut:
    """For the administrator. The same numbers for machines: `/metrics`."""
    state = status.look(session)
    return ServerOut(
        version=__version__,
        python=platform.python_version(),
        now=state.now,
        queue=_queue(state),
        workers=[WorkerOut.of(seen.worker, alive=seen.is_alive) for seen in state.workers],
        uploads=state.seen.uploads,
        oldest_uploads=[
            IncomingOut(
                competition=each.competition.slug,
                team=PersonOut.of(each.team),
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
        backup=BackupOut.of(state.backup) if state.backup else None,
    )


def _queue(state: ServerState) -> QueueOut:
    return QueueOut(
        waiting=state.seen.waiting,
        oldest_waiting_seconds=int(state.seen.oldest_waiting_seconds),
        by_state={each: state.seen.judgings.get(each, 0) for each in State},
    )
