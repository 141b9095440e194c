"""The life of a competition: launch with its checklist, changes after it, close, reveal."""

from __future__ import annotations

from tests.builders.installation import PNG, TRUTH, Installation, problem_of

FIXED: list[tuple[dict[str, object], str]] = [
    ({"objectives": {"clicks": 1, "carts": 1, "orders": 1}}, "needs-rejudging"),
    ({"objectives": {"carts": 0.3, "clicks": 0.1, "orders": 0.6}}, "needs-rejudging"),
    ({"metric": {"k": 10}}, "needs-rejudging"),
    ({"missing_rows": "zero"}, "needs-rejudging"),
    ({"id_column": "id"}, "fixed-at-launch"),
    ({"labels_column": "items"}, "fixed-at-launch"),
    ({"item_ids": "string"}, "fixed-at-launch"),
    ({"split": "usage"}, "fixed-at-launch"),
    ({"split": {"public_fraction": 0.34}}, "fixed-at-launch"),
]


def test_a_launched_competition_is_open_and_seen_by_everybody(installation: Installation) -> None:
    launched = installation.launched()
    assert launched["phase"] == "open"
    assert launched["launched_at"] is not None
    checks = {check["code"]: check["status"] for check in launched["checklist"]}
    # Chance draws the split, and so decides whether it is near the setting.
    assert checks.pop("public-share") in ("passed", "warning")
    assert checks == {
        "ground-truth": "passed",
        "ends-at": "passed",
        "scorable-split": "passed",
        "ground-truth-warning": "warning",
        "perfect-file": "passed",
        "empty-file": "passed",
        "sample-file": "passed",
        "random-guesses": "warning",
        "standard-error": "warning",
    }
    assert any("standard error" in text for text in launched["warnings"])

    seen = installation.anonymous.get("/competitions/otto").json()
    assert seen["phase"] == "open"
    assert seen["counts"] == {"sessions": 60, "published_ids": 180, "teams": 0, "submissions": 0}
    assert not {"settings", "ground_truth", "organizers", "version", "split"} & set(seen)
    assert [
        item["slug"] for item in installation.anonymous.get("/competitions").json()["items"]
    ] == ["otto"]


def test_a_competition_with_a_start_is_upcoming_until_then(installation: Installation) -> None:
    launched = installation.launched(starts_at="2999-01-01T00:00:00Z")
    assert launched["phase"] == "upcoming"


def test_without_ground_truth_there_is_no_launch(installation: Installation) -> None:
    installation.draft()
    problem = problem_of(
        installation.admin.post("/admin/competitions/otto/launch"), 409, "launch-checklist"
    )
    assert [error["code"] for error in problem["errors"]] == ["ground-truth"]
    assert installation.admin.get("/competitions/otto").json()["phase"] == "draft"


def test_a_picture_that_is_missing_is_told_and_stops_nothing(installation: Installation) -> None:
    installation.draft(image="cover.png")
    address = "/admin/competitions/otto/launch"

    def told() -> dict[str, str]:
        checks = installation.admin.get(address).json()["items"]
        return {each["status"]: each["detail"] for each in checks if each["code"] == "picture"}

    assert told() == {
        "warning": "The picture cover.png is missing. Upload it under “Data files”, or clear it"
        " in “Settings”."
    }
    installation.admin.put("/admin/competitions/otto/files/cover.png", content=PNG)
    assert told() == {"passed": "The picture cover.png is there."}


def test_all_musts_are_named_at_once(installation: Installation) -> None:
    installation.draft(ends_at="2001-01-01T00:00:00Z")
    problem = problem_of(
        installation.admin.post("/admin/competitions/otto/launch"), 409, "launch-checklist"
    )
    assert [error["code"] for error in problem["errors"]] == ["ground-truth", "ends-at"]
    assert problem["error_count"] == 2


def test_a_second_launch_is_409(installation: Installation) -> None:
    installation.launched()
    answer = installation.admin.post("/admin/competitions/otto/launch")
    problem_of(answer, 409, "already-launched")


def test_a_private_competition_is_hidden_from_all_but_its_members(
    installation: Installation,
) -> None:
    installation.launched(visibility="private")
    ada = installation.person("ada")
    for stranger in (ada, installation.anonymous):
        for path in ("", "/files", "/sample-submission"):
            problem_of(stranger.get(f"/competitions/otto{path}"), 404, "not-found")
        assert stranger.get("/competitions").json()["items"] == []


def test_what_may_change_after_the_launch(installation: Installation) -> None:
    installation.launched()
    free = {
        "title": "Two",
        "description": "later",
        "daily_limit": 9,
        "total_limit": 90,
        "final_selections": 1,
        "team_size": 1,
        "max_upload_bytes": 10_000,
        "max_expanded_bytes": 20_000,
        "decimals": 3,
        "objective_scores": "always",
        "registration": "invite",
        "ends_at": "2999-01-01T00:00:00Z",
    }
    answer = installation.admin.patch("/admin/competitions/otto", json=free)
    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in free} == free


def test_what_may_not_change_after_the_launch(installation: Installation) -> None:
    installation.launched()
    for change, code in FIXED:
        answer = installation.admin.patch(
            "/admin/competitions/otto", json={"title": "Two"} | change
        )
        assert problem_of(answer, 409, code)["settings"] == list(change)
    assert installation.admin.get("/competitions/otto").json()["title"] == "OTTO"


def test_published_ids_are_frozen_at_the_launch(installation: Installation) -> None:
    installation.launched()
    answer = installation.admin.put("/admin/competitions/otto/published-ids", content=b"100\n")
    problem_of(answer, 409, "fixed-at-launch")


def test_close_reopen_close_reveal(installation_on_both: Installation) -> None:
    installation_on_both.launched()
    route = "/admin/competitions/otto"
    problem_of(installation_on_both.admin.post(f"{route}/reveal"), 409, "competition-open")
    problem_of(installation_on_both.admin.post(f"{route}/reopen"), 409, "competition-open")

    closed = installation_on_both.admin.post(f"{route}/close", json={"reason": "season over"})
    assert closed.json()["phase"] == "closed"
    problem_of(installation_on_both.admin.post(f"{route}/close"), 409, "competition-closed")
    assert installation_on_both.admin.post(f"{route}/reopen", json={}).json()["phase"] == "open"
    assert installation_on_both.admin.post(f"{route}/close").json()["phase"] == "closed"

    problem_of(
        installation_on_both.anonymous.get("/competitions/otto/leaderboard?split=private"),
        404,
        "not-revealed",
    )
    assert installation_on_both.admin.post(f"{route}/reveal").json()["phase"] == "revealed"
    answer = installation_on_both.anonymous.get("/competitions/otto/leaderboard?split=private")
    assert answer.status_code == 200
    for act in ("close", "reopen", "reveal"):
        problem_of(installation_on_both.admin.post(f"{route}/{act}"), 409, "competition-revealed")


def test_a_draft_can_neither_be_closed_nor_revealed(installation: Installation) -> None:
    installation.draft()
    for act in ("close", "reopen", "reveal"):
        answer = installation.admin.post(f"/admin/competitions/otto/{act}")
        problem_of(answer, 409, "competition-draft")


def test_after_its_end_a_competition_is_closed_and_not_reopened_by_an_act(
    installation: Installation,
) -> None:
    installation.launched()
    route = "/admin/competitions/otto"
    ended = installation.admin.patch(route, json={"ends_at": "2001-01-01T00:00:00Z"}).json()
    assert ended["phase"] == "closed"
    problem_of(installation.admin.post(f"{route}/reopen"), 409, "competition-closed")
    assert installation.admin.post(f"{route}/reveal").json()["closed_at"] == "2001-01-01T00:00:00Z"


def test_the_body_of_an_act_holds_a_reason_or_nothing(installation: Installation) -> None:
    installation.draft()
    bodies: tuple[object, ...] = ({"force": True}, {"reason": 5}, {"reason": "x" * 501}, [])
    for body in bodies:
        answer = installation.admin.post("/admin/competitions/otto/close", json=body)
        problem_of(answer, 422, "invalid")


def test_a_submission_that_is_not_judged_holds_the_reveal_back(
    installation_on_both: Installation,
) -> None:
    installation_on_both.launched()
    ada = installation_on_both.person("ada")
    assert ada.post("/competitions/otto/teams", json={"name": "Ada"}).status_code == 201
    sample = installation_on_both.anonymous.get("/competitions/otto/sample-submission").content
    sent = ada.post("/competitions/otto/submissions", content=sample)
    assert sent.status_code == 202
    installation_on_both.admin.post("/admin/competitions/otto/close")
    problem = problem_of(
        installation_on_both.admin.post("/admin/competitions/otto/reveal"), 409, "still-judging"
    )
    assert problem["unjudged"] == 1


def test_settings_that_the_ground_truth_depends_on_put_it_out_of_use(
    installation_on_both: Installation,
) -> None:
    installation_on_both.draft(split={"public_fraction": 0.5})
    installation_on_both.upload_truth()
    changed = installation_on_both.admin.patch(
        "/admin/competitions/otto", json={"split": {"public_fraction": 0.4}}
    ).json()
    assert changed["ground_truth"] == {
        "active_version": None,
        "latest_version": 1,
        "published_ids": None,
    }
    old = installation_on_both.admin.get("/admin/competitions/otto/ground-truth/1").json()
    assert (old["status"], old["active"]) == ("outdated", False)
    problem_of(
        installation_on_both.admin.post("/admin/competitions/otto/launch"), 409, "launch-checklist"
    )

    again = installation_on_both.admin.post("/admin/competitions/otto/ground-truth", content=TRUTH)
    assert again.status_code == 201
    assert (again.json()["version"], again.json()["active"]) == (2, True)
    assert installation_on_both.admin.post("/admin/competitions/otto/launch").status_code == 200
