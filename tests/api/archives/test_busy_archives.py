"""Archives that take long keep only other archives waiting."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed

import pytest

from podium.archives.routes import exports
from podium.http.threads import MOST, ThreadResource
from tests.builders.archives.season import EXPORT
from tests.builders.installation import problem_of
from tests.builders.rows import add_truth
from tests.builders.uploads.stage import Stage

WAITING = 2
"""Exports that may wait while one is made."""


def test_an_upload_is_accepted_while_exports_wait_for_one_that_takes_long(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no more threads for the store than there are exports that wait."""
    monkeypatch.setitem(MOST, ThreadResource.STORE, WAITING)
    with stage.server.application.database.write() as session:
        add_truth(session, stage.competition)
    with ThreadPoolExecutor(WAITING + 1) as askers:
        with exports.entered():
            asked = [
                askers.submit(stage.server.request, "GET", EXPORT, stage.admin_token)
                for _ in range(WAITING + 1)
            ]
            # One is refused once all others wait, each in its thread.
            refused = next(as_completed(asked, timeout=60))
            problem_of(refused.result(), 503, "busy")
            assert stage.server.submit(stage.token).status_code == 202
            assert [each for each in asked if each.done()] == [refused]
        answers = [each.result().status_code for each in asked]
    assert sorted(answers) == [200, 200, 503]
