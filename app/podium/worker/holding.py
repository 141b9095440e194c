"""A worker as the holder of leases, shared by all its threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from podium.application import Application
from podium.core.leases import Lease
from podium.logs import about
from podium.sandbox.outputs import remove
from podium.worker.heartbeat import Heartbeat


class Workplace(NamedTuple):
    """The folder that the children of one lease work in, and the heartbeat of the lease."""

    scratch: Path
    heartbeat: Heartbeat


@dataclass(frozen=True)
class LeaseHolder:
    """Holds leases on judgings and jobs, with folders below `scratch`; once it `is_stopping`,
    children end and unfinished work returns to the queue."""

    application: Application
    worker_id: str
    scratch: Path
    is_stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def lease_seconds(self) -> float:
        """The length of its leases in seconds; they are renewed well before they end."""
        return self.application.settings.lease_seconds

    @contextmanager
    def at_work(
        self, lease: Lease[Any], span: str, about_what: dict[str, str], **details: str
    ) -> Iterator[Workplace]:
        """Keeps a lease alive for the duration of the block, with the ids of the work in logs and
        traces."""
        with (
            about(request_id=lease.request_id, **about_what),
            self.application.telemetry.span(
                span,
                of_request=lease.request_id,
                within={"traceparent": lease.traceparent or ""},
                fence=lease.fence,
                worker=self.worker_id,
                **about_what,
                **details,
            ),
        ):
            folder = self.scratch / f"{lease.row_id}-{lease.fence}"
            folder.mkdir(mode=0o700)
            heartbeat = Heartbeat(self.application, lease, self.is_stopping)
            try:
                # Fetching files from far away can outlast a lease.
                with heartbeat.kept_up():
                    yield Workplace(folder, heartbeat)
            finally:
                remove(folder)
