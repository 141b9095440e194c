"""The bag of collaborators that an entry point holds; `bootstrap.build` fills it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from podium.core.database.engine import Database
from podium.mail import Mailer
from podium.queue import Queue
from podium.sandbox import Sandbox
from podium.settings import Settings
from podium.storage import Storage
from podium.telemetry import Silent, Telemetry


@dataclass(frozen=True)
class Application:
    """Everything that use cases need from outside, chosen once."""

    settings: Settings
    database: Database
    storage: Storage
    queue: Queue
    sandbox: Sandbox
    mailer: Mailer | None = None
    """None where the operator has set no mail server."""
    telemetry: Telemetry = field(default_factory=Silent)
    is_stopping: threading.Event = field(default_factory=threading.Event)
    """Set once this process was asked to stop: whatever could go on for long ends by itself."""

    def close(self) -> None:
        """Closes the database's pools, and sends off the last traces."""
        self.database.close()
        self.telemetry.close()
