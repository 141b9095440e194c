"""A real `podium serve` in a process of its own, and the competitions that tests play on it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from podium.client import Organizer
from tests.builders.processes.forks import Forked

ADMIN_TOKEN = "a-token-for-tests-only"

SESSIONS = {1: "Public", 2: "Public", 3: "Private", 4: "Private"}
LABELS = {"clicks": "3", "carts": "2 3", "orders": "4"}


@dataclass(frozen=True)
class Installation:
    """A running server."""

    url: str
    folder: Path
    process: Forked

    def stop(self) -> None:
        """Asks it to end, and waits until it has ended well."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=60) == 0, (self.folder / "server.log").read_text()

    @property
    def as_administrator(self) -> dict[str, str]:
        """The environment of a command that its administrator types."""
        return {"PODIUM_URL": self.url, "PODIUM_TOKEN": ADMIN_TOKEN}

    def organizer(self) -> Organizer:
        """A client for its administrator."""
        return Organizer(self.url, ADMIN_TOKEN)


@contextmanager
def serving(folder: Path, *options: str, **settings: str) -> Iterator[Installation]:
    """Runs `podium serve` on a free port until the block ends; it must end well. Settings are
    variables of its environment."""
    environment = os.environ | {
        "PODIUM_DATA_DIR": str(folder / "data"),
        "PODIUM_ADMIN_TOKEN": ADMIN_TOKEN,
        "PODIUM_MIN_FREE_BYTES": "0",
        **settings,
    }
    reading, writing = os.pipe()
    with (folder / "server.log").open("w") as log:
        server = Forked(
            ["serve", "--port", "0", *options],
            environment=environment,
            cwd=folder,
            stdout=writing,
            stderr=log,
        )
    os.close(writing)
    with os.fdopen(reading) as output:
        try:
            line = output.readline()
            assert line.startswith("Podium answers at "), (folder / "server.log").read_text()
            installation = Installation(line.split()[-1], folder, server)
            yield installation
            if server.poll() is None:
                installation.stop()
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()


def launch(organizer: Organizer, slug: str, folder: Path, **settings: object) -> None:
    """Opens a competition of four sessions, two on either side, all with the same labels."""
    truth = folder / f"{slug}.csv"
    rows = [
        f"{session}_{objective},{labels},{usage}\n"
        for session, usage in SESSIONS.items()
        for objective, labels in LABELS.items()
    ]
    truth.write_text("session_type,labels,Usage\n" + "".join(rows))
    organizer.create_competition(slug, f"The {slug}", preset="otto", split="usage", **settings)
    organizer.upload_ground_truth(slug, truth)
    organizer.launch(slug)


def submission(**hits: str) -> str:
    """A submission that predicts these items for session 1 and item 9 for everything else."""
    rows = [
        f"{session}_{objective},{hits.get(objective, '9') if session == 1 else '9'}\n"
        for session in SESSIONS
        for objective in LABELS
    ]
    return "session_type,labels\n" + "".join(rows)
