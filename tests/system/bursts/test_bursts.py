"""Many writes at one moment wait for one another, and no reader waits for them.

The bounds are far from what was measured, and far below the standstill that they are for: half a
minute and more, in which neither a board nor `/healthz` answered.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.system.bursts.conftest import API, FILE, TOKEN, Burst, Service

pytestmark = [pytest.mark.xdist_group("last minute"), pytest.mark.timeout(600)]

STANDSTILL_SECONDS = 12.0
"""Seconds that no look may take, on a machine that is slow and busy."""

OWN = "/competitions/otto/submissions"

FINAL = ("scored", "rejected", "failed", "cancelled")


def request(method: str, path: str, token: str = TOKEN, **given: Any) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"}
    return {"method": method, "url": API + path, "headers": headers, **given}


def require_that_lookers_went_on(burst: Burst) -> None:
    """Boards, a page and health were answered all the time."""
    assert burst.refused_looks == []
    assert max(burst.looks) < STANDSTILL_SECONDS, sorted(burst.looks)[-5:]


def test_120_writes_of_one_account_at_once_are_all_done(service: Service) -> None:
    path = "/admin/competitions/otto/announcements"
    burst = service.all_at_once(
        [request("POST", path, json={"title": f"News {n}", "text": "…"}) for n in range(120)]
    )
    assert set(burst.statuses) == {201}, sorted(burst.statuses)
    require_that_lookers_went_on(burst)
    found = service.ask("GET", "/competitions/otto/announcements?limit=100")["items"]
    assert len(found) == 100


def test_150_looks_of_one_account_at_once_are_all_answered(service: Service) -> None:
    """As many as a class that is asked to open its pages now; there are forty threads."""
    burst = service.all_at_once([request("GET", "/me") for _ in range(150)])
    assert set(burst.statuses) == {200}, sorted(burst.statuses)
    require_that_lookers_went_on(burst)


def test_the_last_minute_loses_no_upload_and_stops_no_board(service: Service) -> None:
    chosen = [
        (token, service.ask("POST", OWN, token, content=FILE)["id"]) for token in service.teams[:10]
    ]
    for token, submission_id in chosen:
        ended(service, submission_id, token)
    uploads = [request("POST", OWN, token, content=FILE) for token in service.teams]
    selections = [
        request("PUT", "/competitions/otto/selection", token, json={"submission_ids": [one]})
        for token, one in chosen
    ]
    burst = service.all_at_once(uploads + selections)
    assert set(burst.statuses[: len(uploads)]) == {202}, sorted(burst.statuses)
    assert set(burst.statuses[len(uploads) :]) == {200}, sorted(burst.statuses)
    require_that_lookers_went_on(burst)
    for token, document in zip(service.teams, burst.documents, strict=False):
        ids = [one["id"] for one in service.ask("GET", OWN, token)["items"]]
        assert document["id"] in ids
    # Judging goes on, too, beginning with the first of those that had sent nothing before.
    fresh = list(zip(service.teams, burst.documents, strict=False))[len(chosen) :]
    token, first = min(fresh, key=lambda each: str(each[1]["submitted_at"]))
    assert ended(service, first["id"], token)["status"] == "scored"


def ended(service: Service, submission_id: str, token: str) -> Any:
    """The submission with its verdict, which comes."""
    deadline = time.monotonic() + 300
    while True:
        found = service.ask("GET", f"/submissions/{submission_id}", token)
        if found["status"] in FINAL:
            return found
        assert time.monotonic() < deadline, "it is still not judged"
        time.sleep(0.1)
