"""The document about the state of an installation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from podium.core.judging_states import State
from podium.http.schemas import Output, PersonOut, ShownTime


class QueueOut(Output):
    """Judgings by state; `waiting` have no verdict yet. Rejudgings count, but are not `oldest`."""

    waiting: int
    oldest_waiting_seconds: int
    by_state: dict[State, int]


class WorkerOut(Output):
    """A process that judges. Not `alive`: silent for half a minute, or stopped."""

    id: str
    host: Annotated[str, Field(examples=["judge-1"])]
    process_id: int
    version: str
    alive: bool
    started_at: ShownTime
    heartbeat_at: ShownTime
    stopped_at: ShownTime | None


class IncomingOut(Output):
    """A file that is on its way."""

    competition: str
    team: PersonOut
    since: ShownTime


class DatabaseOut(Output):
    """What holds the rows. Not `up_to_date`: it has the schema of another version of Podium."""

    kind: Literal["sqlite", "postgresql"]
    version: str
    up_to_date: bool


class StorageOut(Output):
    """Where files are. `free_bytes` is null where a store cannot tell; below `reserved_bytes`
    nothing is taken in."""

    kind: Literal["folder", "bucket"]
    free_bytes: int | None
    reserved_bytes: int


class ServerOut(Output):
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
