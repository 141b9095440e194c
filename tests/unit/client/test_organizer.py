"""The organizer's client with a ground truth that takes long, or is not right."""

from __future__ import annotations

from pathlib import Path

import pytest

from podium import errors
from podium.client import Organizer
from podium.errors.codes import ErrorCode
from tests.unit.client.scripted import Answer, scripted

ROUTE = "/api/v1/admin/competitions/otto/ground-truth"
CHECKING = Answer(202, {"status": "checking", "version": None}, {"Location": f"{ROUTE}/7"})
STORED = Answer(200, {"status": "stored", "version": 1})


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    file = tmp_path / "truth.jsonl"
    file.write_text("{}")
    return file


def test_a_ground_truth_is_waited_for_while_it_is_checked(truth: Path) -> None:
    with scripted(CHECKING, STORED) as server, Organizer(server.url, "t") as organizer:
        assert organizer.upload_ground_truth("otto", truth)["version"] == 1
    assert [(seen.method, seen.path) for seen in server.seen] == [
        ("POST", ROUTE),
        ("GET", f"{ROUTE}/7"),
    ]


def test_a_metric_file_that_is_refused_later_names_its_problems(truth: Path) -> None:
    found = [{"code": "bad-code", "line": 1, "detail": "No colon.", "hint": None}]
    problem = {
        "code": "bad-metric-file",
        "detail": "Line 1: No colon.",
        "errors": found,
        "error_count": 1,
    }
    checking = Answer(202, {"id": "7", "status": "checking", "version": None})
    refused = Answer(200, {"id": "7", "status": "rejected", "problem": problem})
    with (
        scripted(checking, refused) as server,
        Organizer(server.url, "t") as organizer,
        pytest.raises(errors.InvalidInput) as caught,
    ):
        organizer.upload_custom_metric("tables", truth)
    assert (caught.value.code, caught.value.problems) == (ErrorCode.BAD_METRIC_FILE, found)


def test_a_ground_truth_that_is_refused_later_names_its_problems(truth: Path) -> None:
    found = [{"code": "bad-json", "line": 1, "detail": "No session.", "hint": None}]
    problem = {"code": "bad-json", "detail": "No session.", "errors": found, "error_count": 1}
    refused = Answer(200, {"status": "rejected", "problem": problem})
    with (
        scripted(CHECKING, refused) as server,
        Organizer(server.url, "t") as organizer,
        pytest.raises(errors.InvalidInput, match="No session") as caught,
    ):
        organizer.upload_ground_truth("otto", truth)
    assert caught.value.problems == found


def test_a_check_that_takes_longer_than_the_timeout_is_not_waited_for(truth: Path) -> None:
    with (
        scripted(CHECKING) as server,
        Organizer(server.url, "t") as organizer,
        pytest.raises(errors.Unavailable, match="still being checked after 1 s") as caught,
    ):
        organizer.upload_ground_truth("otto", truth, timeout=0.5)
    assert caught.value.code == ErrorCode.WAIT_TIMED_OUT


def test_a_launch_that_takes_longer_than_the_timeout_says_how_to_go_on() -> None:
    running = Answer(503, {"code": "still-running", "detail": "On."}, {"Retry-After": "0"})
    with (
        scripted(*[running] * 9) as server,
        Organizer(server.url, "t") as organizer,
        pytest.raises(errors.Unavailable, match="Run `podium launch otto` again") as caught,
    ):
        organizer.launch("otto", timeout=0.1)
    assert caught.value.code == ErrorCode.WAIT_TIMED_OUT


def test_a_launch_that_fails_within_the_timeout_says_why() -> None:
    with (
        scripted(Answer(503, {"code": "no-worker", "detail": "None."})) as server,
        Organizer(server.url, "t") as organizer,
        pytest.raises(errors.Unavailable) as caught,
    ):
        organizer.launch("otto", timeout=60)
    assert caught.value.code == ErrorCode.NO_WORKER
