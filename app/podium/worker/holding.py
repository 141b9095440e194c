"""A worker as the holder of leases: all that its threads share."""

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
    """The things of one lease: the folder that its children work in, and its heartbeat."""

    scratch: Path
    heartbeat: Heartbeat


@dataclass(frozen=True)
class LeaseHolder:
    """Works for judgings and jobs in folders below `scratch`; once it `is_stopping`, children end
    and what is under way is handed back."""

    application: Application
    worker_id: str
    scratch: Path
    is_stopping: threading.Event = field(default_factory=threading.Event)

    @property
    def lease_seconds(self) -> float:
        """The length of its leases, which are renewed well before."""
        return self.application.settings.lease_seconds

    @contextmanager
    def at_work(
        self, lease: Lease[Any], span: str, about_what: dict[str, str], **details: str
    ) -> Iterator[Workplace]:
        """Keeps a lease up for as long as the block takes, with the names of the work in logs
        and traces."""
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
                # Files that come from far away take as long as they take.
                with heartbeat.kept_up():
                    yield Workplace(folder, heartbeat)
            finally:
                remove(folder)
