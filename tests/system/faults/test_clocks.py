"""Clocks that jump by a day: files are taken, judged once, and counted to days of their own.

The time is the database's. With SQLite that is the clock of the process itself; with PostgreSQL the
server's clock jumps, or that of everybody else.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from podium.core.database.migrate import migrate
from tests.builders.faults.budget import Budget
from tests.builders.faults.stage import Stage, wait_for
from tests.builders.machine.clocks import faked, libraries
from tests.builders.servers.killable_postgres import PostgresServer

STEPS = ("+1d", "-1d", "+1h", "-90s", "+2d")

WHOSE = [
    pytest.param("sqlite", id="sqlite"),
    pytest.param("server", marks=pytest.mark.postgres, id="of-postgresql"),
    pytest.param("others", marks=pytest.mark.postgres, id="of-all-but-postgresql"),
][: Budget.from_environment().times(1, 3)]


@pytest.fixture
def clock() -> Iterator[Path]:
    """The file with the offset by which a clock is wrong; PostgreSQL's user reads it, too."""
    folder = Path(tempfile.mkdtemp(prefix="podium-clock-"))
    folder.chmod(0o755)
    path = folder / "clock"
    path.write_text("+0")
    yield path
    shutil.rmtree(folder)


@pytest.fixture
def wrong(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Path
) -> Iterator[tuple[Stage, str]]:
    """An installation of which some read the time from this clock, and who."""
    if Budget.from_environment().asked is None:
        pytest.skip("`make faults` steps clocks")
    if not libraries():
        pytest.skip("libfaketime is not installed: apt-get install faketime")
    settings, whose = faked(clock), request.param
    server = None
    if whose == "sqlite":
        stage = Stage(tmp_path, request.getfixturevalue("sqlite_url"), None, **settings)
    else:
        server = PostgresServer(environment=settings if whose == "server" else {})
        migrate(server.url)
        stage = Stage(tmp_path, server.url, None, **(settings if whose == "others" else {}))
    try:
        stage.open()
        yield stage, whose
    finally:
        stage.close()
        if server is not None:
            server.close()


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("wrong", WHOSE, indirect=True)
def test_a_clock_that_jumps_loses_nothing_and_holds_nothing_up(
    wrong: tuple[Stage, str], clock: Path, budget: Budget
) -> None:
    stage, whose = wrong
    with stage.running("api") as api, stage.running("worker"):
        for step in STEPS:
            clock.write_text(step)
            stage.send(api, stage.file())
            # An upload at whose moment one process saw the step and another did not may be refused.
            stage.resolve(api)
            wait_for(lambda: stage.waiting() == 0, f"a verdict after {step}")
        days = stage.count("SELECT count(DISTINCT day) FROM quota_slots")
    assert (days > 1) is (whose != "others"), "the wrong clock jumped"
    assert stage.violations() == []
    budget.report("steps of the clock", stage, len(STEPS))


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("wrong", WHOSE, indirect=True)
def test_a_judging_during_which_the_clock_jumps_is_ended_once(
    wrong: tuple[Stage, str], clock: Path, budget: Budget
) -> None:
    stage, _ = wrong
    with stage.running("api") as api:
        for step in STEPS:
            assert stage.send(api, stage.file(waits=True)) == 202
            worker = stage.start("worker")
            wait_for(worker.waiting_children, "a judge child")
            clock.write_text(step)
            # One that comes along takes the judging over where its lease has ended now.
            other = stage.start("worker")
            wait_for(stage.is_judged, f"a verdict after {step}")
            worker.end()
            other.end()
            assert stage.lost() == []
    assert stage.violations() == []
    budget.report("steps of the clock during a judging", stage, len(STEPS))
