"""Live progress as server-sent events, and what machines ask about the installation."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import delete

from podium.core.database.engine import database_now
from podium.core.judging_states import State
from podium.core.models import Membership, Worker
from podium.settings import Settings
from tests.builders.rows import START, add_scored
from tests.builders.uploads.changes import judge
from tests.builders.uploads.stage import Stage


def events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Events with their id, name and document."""
    event: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "data":
            event["data"] = json.loads(value)
        elif name in ("id", "event"):
            event[name] = value
        elif not line and event:
            yield event
            event = {}


def follow(stage: Stage, submission_id: str, **headers: str) -> Any:
    return stage.server.client.stream(
        "GET",
        f"/api/v1/submissions/{submission_id}/events",
        headers={"Authorization": f"Bearer {stage.token}", **headers},
    )


def test_every_change_is_an_event_and_the_verdict_is_the_last(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    with follow(stage, submission_id) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        seen = events(stream.iter_lines())
        assert next(seen)["data"]["status"] == "queued"
        judge(stage, submission_id, state=State.RUNNING, progress=0.5)
        assert next(seen)["data"]["progress"] == 0.5
        judge(stage, submission_id, state=State.FAILED, judged_at=START)
        last = next(seen)
        assert (last["event"], last["data"]["status"]) == ("submission", "failed")
        assert list(seen) == []


def test_the_events_say_exactly_what_the_submission_says(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        submission_id = add_scored(session, stage.team, public="0.1234567", private="0.9")
    with follow(stage, submission_id) as stream:
        (only,) = events(stream.iter_lines())
    path = f"/submissions/{submission_id}"
    assert only["data"] == stage.server.request("GET", path, stage.token).json()
    assert only["data"]["public_score"] == 0.12346


def test_who_knows_the_last_event_is_told_that_there_is_no_more(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        submission_id = add_scored(session, stage.team, public="0.5")
    with follow(stage, submission_id) as stream:
        (only,) = events(stream.iter_lines())
    with follow(stage, submission_id, **{"Last-Event-ID": only["id"]}) as stream:
        assert stream.status_code == 204


def test_who_comes_back_hears_only_what_changed(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    with follow(stage, submission_id) as stream:
        first = next(events(stream.iter_lines()))
    later = threading.Timer(
        0.3, judge, (stage, submission_id), {"state": State.RUNNING, "progress": 0.1}
    )
    later.start()
    with follow(stage, submission_id, **{"Last-Event-ID": first["id"]}) as stream:
        assert next(events(stream.iter_lines()))["data"]["status"] == "judging"
    later.join()


def test_a_client_that_is_signed_out_hears_no_more(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    (token,) = stage.server.request("GET", "/me/tokens", stage.token).json()["items"]
    with follow(stage, submission_id) as stream:
        seen = events(stream.iter_lines())
        assert next(seen)["data"]["status"] == "queued"
        stage.server.request("DELETE", f"/me/tokens/{token['id']}", stage.token)
        judge(stage, submission_id, state=State.RUNNING, progress=0.5)
        assert next(seen, None) is None


def test_a_browser_that_is_signed_out_hears_no_more(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    browser = stage.server.client
    origin = {"Origin": str(browser.base_url).rstrip("/")}
    signed_in = browser.post("/sign-in", data={"token": stage.token}, headers=origin)
    assert signed_in.status_code == 303
    cookie = {"Cookie": signed_in.headers["set-cookie"].partition(";")[0]}
    path = f"/api/v1/submissions/{submission_id}/events"
    with browser.stream("GET", path, headers=cookie) as stream:
        seen = events(stream.iter_lines())
        assert next(seen)["data"]["status"] == "queued"
        assert browser.post("/sign-out", headers=origin | cookie).status_code == 303
        judge(stage, submission_id, state=State.RUNNING, progress=0.5)
        assert next(seen, None) is None


def test_a_member_who_is_taken_out_of_the_team_hears_no_more(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    me = stage.server.request("GET", "/me", stage.token).json()
    with follow(stage, submission_id) as stream:
        seen = events(stream.iter_lines())
        assert next(seen)["data"]["status"] == "queued"
        with stage.server.application.database.write() as session:
            session.execute(delete(Membership).where(Membership.user_id == me["id"]))
        judge(stage, submission_id, state=State.RUNNING, progress=0.5)
        assert next(seen, None) is None


def test_the_process_says_that_it_is_alive(stage: Stage) -> None:
    answer = stage.server.client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


def test_ready_means_that_uploads_can_be_kept_with_or_without_a_worker(stage: Stage) -> None:
    stage.server.submit(stage.token)
    answer = stage.server.client.get("/readyz")
    assert answer.status_code == 200
    document = answer.json()
    assert (document["status"], document["reasons"]) == ("ok", [])
    assert (document["judging"]["workers"], document["judging"]["waiting"]) == (0, 1)


def test_a_living_worker_is_counted_and_a_silent_one_is_not(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        now = database_now(session)
        for name, heartbeat, stopped in (
            ("alive", now, None),
            ("silent", START, None),
            ("gone", now, now),
        ):
            session.add(
                Worker(
                    id=name,
                    host="h",
                    process_id=1,
                    version="1",
                    started_at=START,
                    heartbeat_at=heartbeat,
                    stopped_at=stopped,
                )
            )
    assert stage.server.client.get("/readyz").json()["judging"]["workers"] == 1


class TestFullDisk:
    """With more space reserved than there is."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"min_free_bytes": 1 << 60})

    def test_a_full_disk_is_a_reason_and_uploads_cost_nothing(self, stage: Stage) -> None:
        answer = stage.server.client.get("/readyz")
        assert (answer.status_code, answer.json()["reasons"]) == (503, ["storage-space"])
        assert int(answer.headers["retry-after"]) > 0
        refused = stage.server.submit(stage.token)
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) > 0
        assert stage.server.slots() == 0
        assert stage.server.client.get("/healthz").status_code == 200
        board = stage.server.request("GET", "/competitions/otto/leaderboard")
        assert board.status_code == 200


def test_numbers_for_prometheus_are_for_the_administrator(stage: Stage) -> None:
    stage.server.submit(stage.token)
    for token, status in ((None, 401), (stage.token, 403), (stage.admin_token, 200)):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = stage.server.client.get("/metrics", headers=headers)
        assert answer.status_code == status
    lines = answer.text.splitlines()
    assert "podium_judgings_waiting 1.0" in lines
    assert "podium_workers 0.0" in lines
    assert 'podium_verdicts_total{state="scored"} 0.0' in lines
