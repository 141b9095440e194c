"""A clock that jumps by a day: files are taken, judged once, and counted to days of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.functional.faults.budget import Budget
from tests.functional.faults.stage import Stage, wait_for

STEPS = ("+1d", "-1d", "+1h", "-90s")


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    """Where the offset stands by which all processes of a stage are wrong."""
    path = tmp_path / "clock"
    path.write_text("+0")
    return path


@pytest.fixture
def wrong(tmp_path: Path, sqlite_url: str, clock: Path) -> Iterator[Stage]:
    """An installation that reads the time from this clock; so does its database."""
    if Budget.from_environment().asked is None:
        pytest.skip("`make faults` steps clocks")
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.skip("libfaketime is not installed")
    stage = Stage(
        tmp_path,
        sqlite_url,
        LD_PRELOAD=str(found[0]),
        FAKETIME_TIMESTAMP_FILE=str(clock),
        FAKETIME_NO_CACHE="1",
        # Waits go by the monotonic clock, which no step touches.
        FAKETIME_DONT_FAKE_MONOTONIC="1",
    )
    try:
        stage.open()
        yield stage
    finally:
        stage.close()


@pytest.mark.timeout(1200)
def test_a_clock_that_jumps_loses_nothing_and_holds_nothing_up(
    wrong: Stage, clock: Path, budget: Budget
) -> None:
    with wrong.running("api") as api, wrong.running("worker"):
        for step in STEPS:
            clock.write_text(step)
            wrong.send(api, wrong.file())
            # An upload at whose moment one process saw the step and another did not may be refused.
            wrong.resolve(api)
            wait_for(lambda: wrong.waiting() == 0, f"a verdict after {step}")
        days = wrong.count("SELECT count(DISTINCT day) FROM quota_slots")
    assert days >= 2, "the clock never jumped"
    assert wrong.violations() == []
    budget.report("steps of the clock", wrong, len(STEPS))
