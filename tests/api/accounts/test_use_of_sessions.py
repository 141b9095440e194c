"""The use of a browser's session is noted beside the request that uses it."""

from __future__ import annotations

import json
import time
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from podium.core.database.engine import database_now
from podium.core.models import PageSession
from tests.builders.installation import Installation
from tests.builders.page import HERE


@pytest.fixture
def cookie(installation: Installation) -> dict[str, str]:
    """The cookie of a browser that was last used an hour ago."""
    ada = installation.person("ada")
    signed_in = installation.client.post(
        "/sign-in", data={"token": ada.token}, headers={"Origin": HERE}, follow_redirects=False
    )
    installation.client.cookies.clear()
    with installation.application.database.write() as session:
        session.query(PageSession).one().last_used_at -= timedelta(hours=1)
    return {"Cookie": signed_in.headers["set-cookie"].partition(";")[0]}


def unused_for(installation: Installation) -> timedelta:
    with installation.application.database.read() as session:
        used: datetime = session.query(PageSession).one().last_used_at
        return database_now(session) - used


def test_a_browser_that_is_used_again_is_listed_as_used_now(
    installation: Installation, cookie: dict[str, str]
) -> None:
    assert unused_for(installation) >= timedelta(hours=1)
    assert installation.client.get("/api/v1/me", headers=cookie).json()["name"] == "ada"
    deadline = time.monotonic() + 20
    while unused_for(installation) > timedelta(minutes=10):
        assert time.monotonic() < deadline, "the use is not noted"
        time.sleep(0.01)


def test_a_use_that_cannot_be_noted_is_logged_and_the_page_is_seen(
    installation: Installation, cookie: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with installation.application.database.write() as session:
        session.execute(
            text(
                "CREATE TRIGGER full BEFORE UPDATE ON page_sessions"
                " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            )
        )
    assert installation.client.get("/api/v1/me", headers=cookie).json()["name"] == "ada"
    logged, deadline = "", time.monotonic() + 20
    while "use.not-noted" not in logged:
        assert time.monotonic() < deadline, logged
        time.sleep(0.01)
        logged += capsys.readouterr().err
    (line,) = (line for line in logged.splitlines() if "use.not-noted" in line)
    assert json.loads(line)["error"] == "IntegrityError"
    assert unused_for(installation) >= timedelta(hours=1)
