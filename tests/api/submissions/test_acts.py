"""Acts on submissions: cancelling, and choosing finals."""

from __future__ import annotations

from typing import Any

from podium.core.judging_states import State
from podium.core.models import Judging, Run, Submission
from tests.builders.rows import START
from tests.builders.uploads.changes import change, judge, look, scored
from tests.builders.uploads.stage import Stage


def test_organizers_cancel_what_waits_and_the_slot_comes_back(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    path = f"/admin/submissions/{submission_id}/cancel"
    assert stage.server.request("POST", path, stage.token).status_code == 404
    cancelled = stage.server.request("POST", path, stage.admin_token)
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    assert stage.server.slots() == 0
    again = stage.server.request("POST", path, stage.admin_token)
    assert (again.status_code, again.json()["code"]) == (409, "already-judged")


def test_cancelling_what_is_being_judged_asks_its_worker(stage: Stage) -> None:
    submission_id = stage.server.submit(stage.token).json()["id"]
    judge(stage, submission_id, state=State.RUNNING)
    path = f"/admin/submissions/{submission_id}/cancel"
    assert stage.server.request("POST", path, stage.admin_token).json()["status"] == "judging"
    with stage.server.application.database.read() as session:
        assert session.query(Run).one().cancel_requested
    assert stage.server.slots() == 1


def test_a_team_takes_back_what_waits_and_nothing_that_is_being_judged(stage: Stage) -> None:
    waiting, begun = (stage.server.submit(stage.token).json()["id"] for _ in range(2))
    judge(stage, begun, state=State.RUNNING)
    taken_back = stage.server.request("POST", f"/submissions/{waiting}/cancel", stage.token)
    assert (taken_back.status_code, taken_back.json()["status"]) == (200, "cancelled")
    refused = stage.server.request("POST", f"/submissions/{begun}/cancel", stage.token)
    assert (refused.status_code, refused.json()["code"]) == (409, "judging-began")
    with stage.server.application.database.read() as session:
        running = session.query(Judging).filter_by(submission_id=begun).one()
        assert not session.get_one(Run, running.id).cancel_requested
    assert stage.server.slots() == 1


def choose(stage: Stage, ids: list[str], token: str = "") -> Any:
    path = "/competitions/otto/selection"
    return stage.server.request("PUT", path, token or stage.token, json={"submission_ids": ids})


def test_finals_are_chosen_and_replaced_as_a_set(stage: Stage) -> None:
    ids = [scored(stage) for _ in range(3)]
    assert choose(stage, ids[:2]).json() == {"submission_ids": ids[:2]}
    assert choose(stage, [ids[2], ids[2]]).json() == {"submission_ids": [ids[2]]}
    seen = [look(stage, submission_id, stage.token).json()["selected"] for submission_id in ids]
    assert seen == [False, False, True]
    assert choose(stage, []).status_code == 200
    with stage.server.application.database.read() as session:
        assert session.query(Submission).filter_by(is_selected=True).count() == 0


def test_a_choice_must_be_of_ones_own_and_small_enough(stage: Stage) -> None:
    ids = [scored(stage) for _ in range(3)]
    rejected = stage.server.submit(stage.token).json()["id"]
    judge(stage, rejected, state=State.REJECTED, problem={"code": "bad-label", "detail": "line 7"})
    for wanted, code in (
        (ids, "too-many-selected"),
        ([rejected], "not-selectable"),
        (["unknown"], "not-selectable"),
    ):
        answer = choose(stage, wanted)
        assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert choose(stage, ids[:1], stage.stranger_token).status_code == 403


def test_nothing_is_chosen_after_the_close(stage: Stage) -> None:
    submission_id = scored(stage)
    change(stage, closed_at=START)
    answer = choose(stage, [submission_id])
    assert (answer.status_code, answer.json()["code"]) == (409, "competition-closed")


def finals(stage: Stage) -> Any:
    return stage.server.request("GET", "/competitions/otto/selection", stage.token).json()


def test_a_team_sees_what_counts_and_what_fills_free_places(stage: Stage) -> None:
    assert finals(stage) == {"submission_ids": [], "counting": [], "places": 2}
    poor, good, best = (scored(stage, public) for public in ("0.1", "0.2", "0.3"))
    assert finals(stage)["counting"] == [best, good]
    choose(stage, [poor])
    assert finals(stage) == {"submission_ids": [poor], "counting": [poor, best], "places": 2}
    change(stage, closed_at=START, revealed_at=START)
    assert finals(stage)["counting"] == [poor, best]


def test_nothing_is_told_of_what_counts_while_hidden_scores_decide(stage: Stage) -> None:
    shown, hidden = scored(stage), scored(stage)
    change(stage, frozen_at=START)
    assert finals(stage)["counting"] is None
    choose(stage, [hidden, shown])
    assert sorted(finals(stage)["counting"]) == sorted([hidden, shown])
    choose(stage, [])
    change(stage, closed_at=START, revealed_at=START)
    assert sorted(finals(stage)["counting"]) == sorted([hidden, shown])
