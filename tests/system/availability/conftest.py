"""One running service in a process of its own for each module, so that its memory can be seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.builders.processes.process import CONNECTIONS, DEADLINE_SECONDS, DOWNLOADS, Process


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """`podium serve` with one open competition; it waits only briefly for clients that do not
    read."""
    process = Process(
        tmp_path_factory.mktemp("process"),
        PODIUM_UNREAD_ANSWER_SECONDS=str(DEADLINE_SECONDS),
        # Other tests keep the machine busy, so that reading a file may take long.
        PODIUM_ANSWER_SECONDS="200",
        PODIUM_CONNECTIONS_PER_ADDRESS=str(CONNECTIONS),
        PODIUM_DOWNLOADS_PER_ACCOUNT=str(DOWNLOADS),
        PODIUM_DOWNLOADS_PER_ADDRESS=str(DOWNLOADS),
    )
    process.start()
    process.launched(daily_limit=100)
    yield process
    process.stop()
