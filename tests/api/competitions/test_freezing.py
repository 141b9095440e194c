"""Freezing, late submissions, switches, cancelling and disqualifying, as people meet them."""

from __future__ import annotations

import pytest

from podium.core.models import GroundTruthVersion
from podium.storage import Area
from tests.builders.databases import BOTH, url_of
from tests.builders.installation import problem_of
from tests.builders.season import ADMIN, Season, file_with, until


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """Seasons are played on both kinds of database."""
    return url_of(request)


def test_a_frozen_board_stays_and_its_teams_see_states_without_scores(season: Season) -> None:
    ada = season.enters("ada")
    first = season.judged(ada, file_with(10))
    frozen = season.acts("freeze", reason="last hour")
    assert (frozen["phase"], frozen["frozen_at"] is not None) == ("frozen", True)
    before = season.board()
    assert [row[2] for row in before] == [1]

    second = season.judged(ada, file_with(60))
    assert (second["status"], second["public_score"], second["objectives"]) == (
        "scored",
        None,
        None,
    )
    assert season.board() == before
    seen = season.admin.get(f"/submissions/{second['id']}").json()
    assert seen["public_score"] > first["public_score"]
    assert ada.get(f"/submissions/{first['id']}").json()["public_score"] == first["public_score"]

    season.acts("close")
    assert season.acts("reopen")["phase"] == "frozen"
    assert season.board() == before
    assert season.acts("unfreeze")["frozen_at"] is None
    assert season.board() == [("Team ada", seen["public_score"], 2)]
    assert ada.get(f"/submissions/{second['id']}").json()["public_score"] == seen["public_score"]


def test_the_reveal_ends_a_freeze_and_both_boards_show_the_finals(season: Season) -> None:
    ada = season.enters("ada")
    best = season.judged(ada, file_with(60))
    chosen = season.judged(ada, file_with(10))
    season.sets(final_selections=1)
    picked = ada.put("/competitions/otto/selection", json={"submission_ids": [chosen["id"]]})
    assert picked.status_code == 200
    season.acts("freeze")
    season.acts("close")
    assert season.board() == [("Team ada", best["public_score"], 2)]
    season.acts("reveal")
    after = ada.get(f"/submissions/{chosen['id']}").json()
    assert season.board() == [("Team ada", after["public_score"], 2)]
    assert season.board("private") == [("Team ada", after["private_score"], 2)]
    for act in ("freeze", "unfreeze"):
        problem_of(season.admin.post(f"{ADMIN}/{act}"), 409, "competition-revealed")


def test_only_what_is_open_can_be_frozen_and_only_what_is_frozen_unfrozen(season: Season) -> None:
    problem_of(season.admin.post(f"{ADMIN}/unfreeze"), 409, "competition-open")
    season.acts("freeze")
    problem_of(season.admin.post(f"{ADMIN}/freeze"), 409, "competition-frozen")
    season.acts("unfreeze")
    season.acts("close")
    problem_of(season.admin.post(f"{ADMIN}/freeze"), 409, "competition-closed")
    problem_of(season.admin.post(f"{ADMIN}/unfreeze"), 409, "not-frozen")


def test_late_files_are_scored_and_tagged_and_count_nowhere(season: Season) -> None:
    ada, bob = season.enters("ada"), season.enters("bob")
    season.judged(ada, file_with(10))
    season.acts("close")
    refused = bob.post("/competitions/otto/submissions", content=file_with(60))
    problem_of(refused, 409, "competition-closed")
    season.sets(late_submissions=True)
    before = season.board()
    counts = season.installation.anonymous.get("/competitions/otto").json()["counts"]

    late = season.judged(bob, file_with(60))
    assert (late["status"], late["late"]) == ("scored", True)
    assert late["public_score"] > 0
    assert season.board() == before
    assert season.installation.anonymous.get("/competitions/otto").json()["counts"] == counts

    season.acts("reveal")
    after = season.judged(bob, file_with(60))
    assert (after["late"], after["private_score"] > 0) == (True, True)
    assert [row[0] for row in season.board("private")] == ["Team ada"]


def test_a_late_file_stays_late_after_a_reopening_and_is_no_final(season: Season) -> None:
    ada = season.enters("ada")
    season.acts("close")
    season.sets(late_submissions=True)
    late = season.judged(ada, file_with(60))
    season.acts("reopen")
    chosen = ada.put("/competitions/otto/selection", json={"submission_ids": [late["id"]]})
    problem_of(chosen, 422, "not-selectable")
    in_time = season.judged(ada, file_with(10))
    assert in_time["late"] is False
    assert season.board() == [("Team ada", in_time["public_score"], 1)]


def test_while_uploads_are_switched_off_the_body_is_not_read(season: Season) -> None:
    ada = season.enters("ada")
    season.sets(accept_uploads=False)
    refused = ada.post("/competitions/otto/submissions", content=file_with(1))
    problem_of(refused, 409, "uploads-paused")
    team = ada.get("/competitions/otto/team").json()
    assert (team["submissions_left_today"], team["limited_by"]) == (0, "accept_uploads")
    season.sets(accept_uploads=True)
    assert season.judged(ada, file_with(1))["status"] == "scored"


def test_while_judging_is_switched_off_files_wait_and_then_go_on_by_themselves(
    season: Season,
) -> None:
    ada = season.enters("ada")
    season.sets(judge_uploads=False)
    sent = [season.sends(ada, file_with(number)) for number in range(3)]
    until(lambda: season.admin.get(f"/submissions/{sent[0]['id']}").json()["status"] == "queued")
    season.sets(judge_uploads=True)
    assert [season.ended(ada, one["id"])["status"] for one in sent] == ["scored"] * 3


def test_a_damaged_truth_pauses_judging_with_a_reason_for_organizers_alone(season: Season) -> None:
    ada = season.enters("ada")
    with season.installation.application.database.read() as session:
        sha256 = session.query(GroundTruthVersion).one().sha256
    assert sha256 is not None
    storage = season.installation.application.storage
    with storage.local(Area.GROUND_TRUTH, sha256) as path:
        whole = path.read_bytes()
        path.chmod(0o600)
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    sent = season.sends(ada, file_with(10))
    until(lambda: season.admin.get("/competitions/otto").json()["judging_paused"] != [])
    (pause,) = season.admin.get("/competitions/otto").json()["judging_paused"]
    assert (pause["ground_truth_version"], "ground-truth" in pause["because"]) == (1, True)
    assert "judging_paused" not in ada.get("/competitions/otto").json()
    assert ada.get(f"/submissions/{sent['id']}").json()["status"] == "queued"
    path.write_bytes(whole)
    season.acts("resume-judging")
    assert season.ended(ada, sent["id"])["status"] == "scored"
    assert season.admin.get("/competitions/otto").json()["judging_paused"] == []
    problem_of(season.admin.post(f"{ADMIN}/resume-judging"), 409, "not-paused")


def test_a_disqualified_submission_leaves_the_boards_and_comes_back(season: Season) -> None:
    ada = season.enters("ada")
    low, high = season.judged(ada, file_with(10)), season.judged(ada, file_with(60))
    route = f"/admin/submissions/{high['id']}"
    for body in ({}, {"reason": " "}):
        problem_of(season.admin.post(f"{route}/disqualify", json=body), 422, "invalid")
    done = season.admin.post(f"{route}/disqualify", json={"reason": "made by hand"}).json()
    assert done["disqualified"]["reason"] == "made by hand"
    assert season.board() == [("Team ada", low["public_score"], 1)]
    assert ada.get(f"/submissions/{high['id']}").json()["disqualified"] == done["disqualified"]
    again = season.admin.post(f"{route}/disqualify", json={"reason": "twice"})
    problem_of(again, 409, "already-disqualified")

    season.acts("close")
    season.acts("reveal")
    assert season.board("private")[0][2] == 1
    assert season.admin.post(f"{route}/reinstate").json()["disqualified"] is None
    assert season.board("private")[0][2] == 2
    assert season.board()[0][1] == high["public_score"]
    problem_of(season.admin.post(f"{route}/reinstate"), 409, "not-disqualified")


def test_a_team_takes_back_what_waits_and_gets_its_slot_again(season: Season) -> None:
    ada = season.enters("ada")
    season.sets(judge_uploads=False)
    left = ada.get("/competitions/otto/team").json()["submissions_left_today"]
    sent = season.sends(ada, file_with(10))
    assert ada.get("/competitions/otto/team").json()["submissions_left_today"] == left - 1
    taken_back = ada.post(f"/submissions/{sent['id']}/cancel")
    assert taken_back.json()["status"] == "cancelled"
    assert ada.get("/competitions/otto/team").json()["submissions_left_today"] == left
    problem_of(ada.post(f"/submissions/{sent['id']}/cancel"), 409, "already-judged")


def test_acts_on_a_submission_are_for_its_organizers_or_its_team(season: Season) -> None:
    ada, bob = season.enters("ada"), season.enters("bob")
    season.sets(judge_uploads=False)
    sent = season.sends(ada, file_with(10))["id"]
    for path in (f"/admin/submissions/{sent}/disqualify", f"/admin/submissions/{sent}/reinstate"):
        for person in (ada, bob):
            problem_of(person.post(path, json={"reason": "no"}), 404, "not-found")
        problem_of(
            season.installation.anonymous.post(path, json={"reason": "no"}),
            401,
            "not-authenticated",
        )
    problem_of(bob.post(f"/submissions/{sent}/cancel"), 404, "not-found")
    problem_of(ada.post(f"/admin/submissions/{sent}/cancel"), 404, "not-found")
    for act in ("freeze", "unfreeze", "resume-judging"):
        problem_of(ada.post(f"{ADMIN}/{act}"), 404, "not-found")
