"""The document about the state of an installation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from podium.core.judging_states import State
from podium.http.members import CompetitionSlug, Id, PodiumVersion, TeamRef
from podium.http.schemas import Output, ShownTime


class QueueLength(Output):
    """The length of the queue of judgings."""

    waiting: int
    """Judgings without a verdict, rejudgings included."""
    oldest_waiting_seconds: int
    """Seconds for which the oldest of them has waited, rejudgings left out; 0 if none waits."""


class QueueOut(QueueLength):
    """The queue of judgings."""

    by_state: dict[State, int]
    """The number of judgings in each state, rejudgings included."""


class WorkerOut(Output):
    """A process that judges."""

    id: Annotated[Id, Field(examples=["worker-1-648e4ef7"])]
    host: Annotated[str, Field(examples=["judge-1"])]
    """The name of the machine that it runs on."""
    process_id: Annotated[int, Field(examples=[4711])]
    """Its process id on that machine."""
    version: Annotated[PodiumVersion, Field(examples=["0.7.0"])]
    alive: Annotated[bool, Field(examples=[True])]
    """False if it was silent for half a minute, or has stopped."""
    started_at: Annotated[ShownTime, Field(examples=["2026-11-24T06:00:00Z"])]
    """The time at which the process began."""
    heartbeat_at: Annotated[ShownTime, Field(examples=["2026-11-24T12:00:40Z"])]
    """The time of its last heartbeat."""
    stopped_at: ShownTime | None
    """The time at which it stopped in order. Null while it runs, or if it vanished."""


class IncomingOut(Output):
    """A file that is on its way."""

    competition: CompetitionSlug
    team: TeamRef
    since: ShownTime
    """The time at which its first byte arrived."""


class DatabaseOut(Output):
    """The database."""

    kind: Literal["sqlite", "postgresql"]
    """The product."""
    version: Annotated[str, Field(examples=["3.46.1"])]
    """The version of the product."""
    up_to_date: Annotated[bool, Field(examples=[True])]
    """False if its schema belongs to another version of Podium."""


class StorageOut(Output):
    """Where files are stored."""

    kind: Literal["folder", "bucket"]
    """`folder`, or `bucket` for S3."""
    free_bytes: Annotated[int | None, Field(examples=[52_419_481_600])]
    """Free space in bytes. Null where a store cannot tell."""
    reserved_bytes: Annotated[int, Field(examples=[67_108_864])]
    """Free space in bytes below which nothing is accepted."""


class BackupOut(Output):
    """The last good backup."""

    made_at: Annotated[ShownTime, Field(examples=["2026-11-24T03:00:00Z"])]
    """The time at which it was finished."""
    place: Annotated[str, Field(examples=["/mnt/backups"])]
    """The folder or bucket."""


class ServerOut(Output):
    """The installation."""

    version: Annotated[PodiumVersion, Field(examples=["0.7.0"])]
    python: Annotated[str, Field(examples=["3.13.9"])]
    """The version of Python that it runs on."""
    now: Annotated[ShownTime, Field(examples=["2026-11-24T12:00:45Z"])]
    """The time by the server's clock."""
    queue: QueueOut
    """Judgings that wait, and their states."""
    workers: list[WorkerOut]
    """The processes that judge, those that stopped recently included."""
    uploads: Annotated[int, Field(examples=[1])]
    """All uploads in progress."""
    oldest_uploads: list[IncomingOut]
    """Uploads in progress, the oldest first, at most a hundred."""
    database: DatabaseOut
    """The database that holds everything but files."""
    storage: StorageOut
    """The store that holds files."""
    backup: BackupOut | None
    """The last backup without a flaw. Null: none was ever made of this installation."""
