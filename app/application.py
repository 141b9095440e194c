"""The bag of collaborators that an entry point holds; `bootstrap.build` fills it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from app.db.engine import Database
from app.queue import Queue
from app.sandbox import Sandbox
from app.settings import Settings
from app.storage import Storage
from app.telemetry import Silent, Telemetry


@dataclass(frozen=True)
class Application:
    """Everything that use cases need from outside, chosen once."""

    settings: Settings
    database: Database
    storage: Storage
    queue: Queue
    sandbox: Sandbox
    telemetry: Telemetry = field(default_factory=Silent)
    is_leaving: threading.Event = field(default_factory=threading.Event)
    """Set once this process was told to stop: whatever could go on for long ends by itself."""

    def close(self) -> None:
        """Closes the database's pools, and sends off the last traces."""
        self.database.close()
        self.telemetry.close()
