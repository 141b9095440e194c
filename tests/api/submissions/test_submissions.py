"""Submissions as their team, strangers and organizers see them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.core.judging_states import State
from podium.core.models import Competition
from podium.materials.service.ground_truth_reading import PUBLISHED_AREA
from podium.scoring.published import PublishedIds
from podium.standings.service import standings
from tests.builders.rows import START, add_truth, add_user
from tests.builders.uploads.changes import change, judge, look, scored
from tests.builders.uploads.stage import Stage

FROZEN = "The board is frozen: scores of files sent since then are shown after the reveal."

REJECTION = {
    "code": "bad-label",
    "detail": "“x” is not an item id.",
    "line": 7,
    "errors": [
        {
            "code": "bad-label",
            "line": 7,
            "row": None,
            "id": "1_clicks",
            "column": "labels",
            "detail": "“x” is not an item id.",
            "hint": None,
        }
    ],
    "error_count": 12,
}


def test_a_team_sees_its_public_score_rounded_and_nothing_private(stage: Stage) -> None:
    document = look(stage, scored(stage), stage.token).json()
    assert document["status"] == "scored"
    assert document["public_score"] == 0.12346
    assert document["private_score"] is None
    assert document["objectives"] is None
    assert document["hits"] is None
    assert document["judged_at"] == "2026-01-01T00:00:00Z"


def test_an_organizer_sees_all_of_it(stage: Stage) -> None:
    document = look(stage, scored(stage, "1/4", "3/4"), stage.admin_token).json()
    assert (document["public_score"], document["private_score"]) == (0.25, 0.75)
    assert document["objectives"]["clicks"] == {"public": 0.25, "private": 0.75}
    assert document["hits"]["orders"]["private"] == {
        "hits": 3,
        "denominator": 4,
        "queries": 10,
        "value": "3/4",
    }


@pytest.mark.parametrize(
    ("setting", "before", "after"),
    [
        ("organizers", None, None),
        ("after_reveal", None, {"public": 0.25, "private": 0.75}),
        ("always", {"public": 0.25, "private": None}, {"public": 0.25, "private": 0.75}),
    ],
)
def test_objectives_are_shown_as_the_organizer_has_set(
    stage: Stage, setting: str, before: Any, after: Any
) -> None:
    change(stage, settings={"objective_scores": setting})
    submission_id = scored(stage, "1/4", "3/4")

    def clicks() -> Any:
        objectives = look(stage, submission_id, stage.token).json()["objectives"]
        return objectives and objectives["clicks"]

    assert clicks() == before
    change(stage, closed_at=START, revealed_at=START)
    assert clicks() == after
    assert look(stage, submission_id, stage.token).json()["private_score"] == 0.75


def test_what_was_sent_after_a_freeze_shows_its_state_but_no_score(stage: Stage) -> None:
    submission_id = scored(stage)
    change(stage, frozen_at=START)
    document = look(stage, submission_id, stage.token).json()
    assert (document["status"], document["public_score"]) == ("scored", None)
    assert document["notice"] == FROZEN
    seen = look(stage, submission_id, stage.admin_token).json()
    assert (seen["public_score"], seen["notice"]) == (0.12346, None)
    change(stage, closed_at=START, revealed_at=START)
    assert look(stage, submission_id, stage.token).json()["notice"] is None


@pytest.mark.parametrize("path", ["", "/file", "/events"])
def test_others_get_the_same_answer_as_for_an_id_that_does_not_exist(
    stage: Stage, path: str
) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    unknown = stage.server.request("GET", f"/submissions/not-an-id{path}", stage.stranger_token)
    foreign = stage.server.request(
        "GET", f"/submissions/{submission_id}{path}", stage.stranger_token
    )
    assert unknown.status_code == foreign.status_code == 404
    assert foreign.json() | {"request_id": ""} == unknown.json() | {"request_id": ""}
    assert stage.server.request("GET", f"/submissions/{submission_id}{path}").status_code == 401


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "PUT"])
def test_a_submission_cannot_be_changed(stage: Stage, method: str) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    answer = stage.server.request(method, f"/submissions/{submission_id}", stage.token)
    assert answer.status_code == 405


def test_an_id_of_ten_thousand_characters_is_too_long(stage: Stage) -> None:
    assert look(stage, "x" * 10_000, stage.token).status_code == 414


def test_a_rejection_is_a_problem_document(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    judge(stage, submission_id, state=State.REJECTED, problem=REJECTION, judged_at=START)
    problem = look(stage, submission_id, stage.token).json()["problem"]
    assert problem == {
        "type": "/problems/bad-label",
        "title": problem["title"],
        "status": 422,
        "detail": "“x” is not an item id.",
        "code": "bad-label",
        "request_id": None,
        "line": 7,
        "errors": REJECTION["errors"],
        "error_count": 12,
    }


def test_our_own_failure_is_told_to_organizers_only(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    judge(stage, submission_id, state=State.FAILED, failure="disk on fire", judged_at=START)
    seen = look(stage, submission_id, stage.token)
    assert seen.json()["problem"]["code"] == "judging-failed"
    assert "disk on fire" not in seen.text
    assert look(stage, submission_id, stage.admin_token).json()["failure"] == "disk on fire"


def test_only_counts_of_the_file_are_shown(stage: Stage) -> None:
    submission_id = scored(stage)
    judge(stage, submission_id, counts={"rows": 9, "missing": 1, "empty": 2, "labelled": 5})
    counts = look(stage, submission_id, stage.token).json()["counts"]
    assert counts == {"rows": 9, "missing": 1, "empty": 2}


LISTS = {
    "objectives": {"clicks": {"k": 20, "lists": 9, "empty": 2, "full": 1, "items": 44}},
    "counted_share": 1,
    "distinct": 31,
    "catalogue": {"items": 60, "predicted": 30, "unknown": 1},
}


def test_statistics_of_lists_are_shown_where_a_verdict_has_them(stage: Stage) -> None:
    submission_id = scored(stage)
    counts = {"rows": 9, "missing": 0, "empty": 2}
    judge(stage, submission_id, counts=counts)
    assert look(stage, submission_id, stage.token).json()["lists"] is None
    judge(stage, submission_id, counts=counts | {"lists": LISTS})
    for token in (stage.token, stage.admin_token):
        document = look(stage, submission_id, token).json()
        assert (document["counts"], document["lists"]) == (counts, LISTS)


def test_a_waiting_submission_knows_its_place(stage: Stage) -> None:
    first, second = (stage.server.submit(stage.token).json()["id"] for _ in range(2))
    places = [look(stage, x, stage.token).json()["queue_position"] for x in (first, second)]
    assert places == [1, 2]
    judge(stage, first, state=State.RUNNING, progress=0.4599)
    document = look(stage, first, stage.token).json()
    assert (document["queue_position"], document["progress"]) == (None, 0.45)
    assert look(stage, second, stage.token).json()["queue_position"] == 1


def test_own_submissions_come_newest_first_in_pages(stage: Stage) -> None:
    sent = [stage.server.submit(stage.token).json()["id"] for _ in range(3)]
    path = "/competitions/otto/submissions?limit=2"
    first = stage.server.request("GET", path, stage.token)
    assert [item["id"] for item in first.json()["items"]] == [sent[2], sent[1]]
    cursor = first.json()["next_cursor"]
    assert f"cursor={cursor}" in first.headers["link"]
    second = stage.server.request("GET", f"{path}&cursor={cursor}", stage.token).json()
    assert [item["id"] for item in second["items"]] == [sent[0]]
    assert second["next_cursor"] is None


def test_a_user_without_a_team_has_no_submissions(stage: Stage) -> None:
    stage.server.submit(stage.token)
    path = "/competitions/otto/submissions"
    answer = stage.server.request("GET", path, stage.stranger_token)
    assert answer.json() == {"items": [], "next_cursor": None}


def test_organizers_see_all_teams_and_can_ask_for_less(stage: Stage) -> None:
    queued = stage.server.submit(stage.token).json()["id"]
    rejected = stage.server.submit(stage.token).json()["id"]
    judge(stage, rejected, state=State.REJECTED, problem=REJECTION)
    path = "/admin/competitions/otto/submissions"
    assert stage.server.request("GET", path, stage.token).status_code == 404

    def ids(query: str) -> list[str]:
        answer = stage.server.request("GET", path + query, stage.admin_token)
        return [item["id"] for item in answer.json()["items"]]

    assert ids("") == [rejected, queued]
    assert ids("?state=queued") == [queued]
    assert ids(f"?team={stage.team.id}&state=rejected") == [rejected]
    assert ids("?team=nobody") == []
    odd = stage.server.request("GET", f"{path}?state=strange", stage.admin_token)
    assert odd.status_code == 422


CANARY = "0.987654321012"
"""A private score that occurs nowhere else; also what it looks like rounded."""


def every_page(stage: Stage, submission_id: str) -> list[str]:
    """All that can be read: every GET of the contract, boards of both kinds, and the pages."""
    contract = stage.server.client.get("/openapi.json").json()
    filled = {"slug": "otto", "submission_id": submission_id, "user_id": stage.member.user_id}
    paths = [
        re.sub(r"{(\w+)}", lambda match: filled.get(match[1], "1"), path)
        for path, operations in contract["paths"].items()
        if "get" in operations
    ]
    boards = [path for path in paths if "leaderboard" in path]
    return [*paths, *(f"{path}?split=private" for path in boards), "/", "/competitions/otto"]


def test_a_private_score_is_nowhere_before_the_reveal(stage: Stage, tmp_path: Path) -> None:
    own = scored(stage, "0.5", CANARY)
    sessions = PublishedIds(pl.Series([1], dtype=pl.Int32), ("clicks", "carts", "orders"))
    sessions.write(tmp_path / "published.parquet")
    application = stage.server.application
    published = application.storage.add(PUBLISHED_AREA, tmp_path / "published.parquet")
    with application.database.write() as session:
        user = add_user(session)
        add_truth(session, stage.competition, published_sha256=published.sha256)
    other = stage.server.token(user)
    pages = every_page(stage, own)
    assert f"/api/v1/submissions/{own}/events" in pages

    def leaks(token: str | None) -> list[str]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answers = {path: stage.server.client.get(path, headers=headers) for path in pages}
        return [p for p, answer in answers.items() if "98765" in answer.text + str(answer.headers)]

    for token in (None, stage.token, other):
        assert leaks(token) == []
    # The harness sees it where it may be seen.
    assert f"/api/v1/submissions/{own}" in leaks(stage.admin_token)
    change(stage, closed_at=START, revealed_at=START)
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        standings.write_private_board(session, competition=competition)
    assert "/api/v1/competitions/otto/leaderboard?split=private" in leaks(None)
    assert f"/api/v1/submissions/{own}" in leaks(stage.token)
    assert f"/api/v1/submissions/{own}" not in leaks(other)


def test_scores_that_show_the_same_make_answers_that_are_the_same(stage: Stage) -> None:
    first = scored(stage, "0.1234561", "0.1")
    second = scored(stage, "0.1234612", "0.9")
    judge(stage, first, counts={"rows": 3, "missing": 0, "empty": 0})
    judge(stage, second, counts={"rows": 3, "missing": 0, "empty": 0})
    one, two = (look(stage, x, stage.token).json() for x in (first, second))
    for document in (one, two):
        assert document.pop("id") in (first, second)
        document.pop("sha256")
    assert one == two


def test_a_submission_that_waits_says_when_to_look_again(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    waiting = stage.server.request("GET", f"/submissions/{submission_id}", stage.token)
    assert int(waiting.headers["retry-after"]) >= 1
    judge(stage, submission_id, state=State.REJECTED, problem=REJECTION, judged_at=START)
    judged = stage.server.request("GET", f"/submissions/{submission_id}", stage.token)
    assert "retry-after" not in judged.headers
