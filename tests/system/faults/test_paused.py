"""An API that is paused in the middle of an upload, beyond the lease of its slot: no slot too many.

The worker that is paused beyond its lease is in `test_planted.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.faults import checker
from tests.builders.faults.budget import Budget
from tests.builders.faults.pausing import pause
from tests.builders.faults.stage import UNDER_WAY, Stage, wait_for

pytestmark = pytest.mark.timeout(1200)


@pytest.mark.parametrize(
    ("database_url", "bug"),
    [
        pytest.param("sqlite", None, id="sqlite"),
        pytest.param("postgresql", None, id="postgresql", marks=pytest.mark.postgres),
        pytest.param("sqlite", "keeps-lapsed-slots", id="planted"),
    ][Budget.from_environment().times(1, 0) :],
    indirect=["database_url"],
)
def test_an_upload_that_was_paused_beyond_its_lease_is_refused_unless_slots_do_not_count(
    tmp_path: Path, database_url: str, bug: str | None, budget: Budget
) -> None:
    stage, rest = Stage(tmp_path, database_url), threading.Event()
    try:
        stage.open(daily_limit=1)
        late, other = stage.start("api", bug=bug), stage.start("api")
        file, status = stage.file(), []
        body = in_two_parts(file.content, rest)
        client = threading.Thread(target=lambda: status.append(stage.send(late, file, body=body)))
        client.start()
        wait_for(lambda: stage.count(UNDER_WAY) == 1, "an upload that is begun")
        pause(stage, late)
        wait_for(lambda: stage.send(other, stage.file()) == 202, "the slot of the one that lapsed")
        late.go_on()
        rest.set()
        client.join()
        with checker.opened(database_url) as connection:
            over = list(checker.over_quota(connection, limit=1))
        assert (status, over) == ([503], []) if bug is None else len(over) == 1
    finally:
        rest.set()
        stage.close()
    if bug is None:
        budget.report("an API that is paused beyond a lease", stage, 1)


def in_two_parts(content: bytes, rest: threading.Event) -> Iterator[bytes]:
    """The second half comes when it may."""
    middle = len(content) // 2
    yield content[:middle]
    rest.wait()
    yield content[middle:]
