"""A ground truth is put right while people compete: rejudging over HTTP, with a real worker."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.databases import BOTH, url_of
from tests.builders.installation import Person, problem_of
from tests.builders.season import ADMIN, Season, file_with, truth_with
from tests.builders.site import Site


@pytest.fixture(params=BOTH)
def database_url(request: pytest.FixtureRequest) -> str:
    """Seasons are judged anew on both kinds of database."""
    return url_of(request)


@pytest.fixture
def played(season: Season) -> dict[str, Any]:
    """Ada guesses the clicks of the first ground truth, Bob those of the second."""
    ada, bob = season.enters("ada"), season.enters("bob")
    shifted = file_with(60).replace(b"_clicks,1", b"_clicks,2")
    stored = season.admin.post(f"{ADMIN}/ground-truth", content=truth_with(100))
    assert stored.json()["version"] == 2
    assert stored.json()["active"] is False
    return {"ada": season.judged(ada, file_with(60)), "bob": season.judged(bob, shifted)}


def start(season: Season, **members: Any) -> Any:
    return season.acts("rejudgings", reason="every click was wrong", **members)


def test_a_new_truth_turns_the_board_round_when_it_is_applied_and_not_before(
    season: Season, played: dict[str, Any]
) -> None:
    assert season.board() == [("Team ada", 0.1, 1), ("Team bob", 0.0, 1)]
    etag = season.installation.anonymous.get("/competitions/otto/leaderboard").headers["etag"]
    begun = season.admin.post(
        f"{ADMIN}/rejudgings",
        json={"reason": "every click was wrong", "ground_truth_version": 2, "times": 2},
    )
    assert begun.status_code == 202
    assert begun.headers["location"] == f"/api/v1/admin/rejudgings/{begun.json()['id']}"
    found = season.ready(begun.json()["id"])
    assert (found["status"], found["deterministic"], found["times"]) == ("ready", True, 2)
    assert (found["done"], found["total"], found["changed_teams"]) == (4, 4, 2)
    by_team = {change["team"]["name"]: change for change in found["changes"]}
    ada = by_team["Team ada"]
    assert (ada["old"]["public"], ada["old"]["private"], ada["old"]["rank"]) == (0.1, 0.1, 1)
    assert (ada["new"]["public"], ada["new"]["private"], ada["new"]["rank"]) == (0.0, 0.0, 2)
    page = (
        Site(season.installation)
        .browser(season.admin)
        .get(f"/organize/otto/rejudgings/{found['id']}")
    )
    beside = page.text.partition('<h2 id="apply">Apply</h2>')[2].partition("</section>")[0]
    assert "version 2 of the ground truth" in beside
    assert "lists of labels differ from version 1." in beside
    assert season.board() == [("Team ada", 0.1, 1), ("Team bob", 0.0, 1)]
    assert (
        season.installation.anonymous.get("/competitions/otto/leaderboard").headers["etag"] == etag
    )

    applied = season.admin.post(f"/admin/rejudgings/{found['id']}/apply").json()
    assert (applied["status"], applied["changes"]) == ("applied", found["changes"])
    assert season.board() == [("Team bob", 0.1, 1), ("Team ada", 0.0, 1)]
    seen = season.admin.get(f"/submissions/{played['ada']['id']}").json()
    assert (seen["ground_truth_version"], seen["public_score"]) == (2, 0.0)
    assert seen["submitted_at"] == played["ada"]["submitted_at"]
    assert season.admin.get("/competitions/otto").json()["ground_truth"]["active_version"] == 2
    fresh = season.judged(season.enters("eve"), file_with(60))
    assert (fresh["ground_truth_version"], fresh["public_score"]) == (2, 0.0)
    actions = [entry["action"] for entry in season.admin.get("/admin/audit").json()["items"]]
    assert {"rejudging.start", "rejudging.apply"} <= set(actions)


def test_new_weights_and_rules_come_with_a_rejudging(
    season: Season, played: dict[str, Any]
) -> None:
    begun = start(
        season,
        settings={"objectives": {"clicks": 1, "carts": 2, "orders": 3}, "missing_rows": "zero"},
    )
    assert season.ready(begun["id"])["ground_truth_version"] == 1
    season.admin.post(f"/admin/rejudgings/{begun['id']}/apply")
    assert season.board() == [("Team ada", 1.0, 1), ("Team bob", 0.0, 1)]
    settings = season.admin.get("/competitions/otto").json()
    assert settings["objectives"] == {"clicks": 1.0, "carts": 2.0, "orders": 3.0}
    assert settings["missing_rows"] == "zero"
    short = season.judged(season.enters("eve"), b"session_type,labels\n100_clicks,100\n")
    assert short["status"] == "scored"


def test_the_movers_come_in_pages_and_rejudgings_in_a_list(
    season: Season, played: dict[str, Any]
) -> None:
    first = start(season, ground_truth_version=2)["id"]
    whole = season.ready(first)["changes"]
    page = season.admin.get(f"/admin/rejudgings/{first}?limit=1")
    assert page.json()["changes"] == whole[:1]
    assert 'rel="next"' in page.headers["link"]
    rest = season.admin.get(
        f"/admin/rejudgings/{first}?limit=1&cursor={page.json()['next_cursor']}"
    ).json()
    assert (rest["changes"], rest["next_cursor"]) == (whole[1:], None)
    season.admin.post(f"/admin/rejudgings/{first}/cancel", json={"reason": "a mistake"})
    second = start(season)["id"]
    listed = season.admin.get(f"{ADMIN}/rejudgings").json()["items"]
    assert [row["id"] for row in listed] == [second, first]
    assert [row["status"] for row in listed][1] == "cancelled"
    problem = problem_of(
        season.admin.post(f"{ADMIN}/rejudgings", json={"reason": "again"}),
        409,
        "rejudging-unfinished",
    )
    assert problem["rejudging"] == second


def test_bodies_that_make_no_sense_are_refused(season: Season) -> None:
    for body in (
        {},
        {"reason": ""},
        {"reason": "r", "times": 4},
        {"reason": "r", "times": 0},
        {"reason": "r", "ground_truth_version": 0},
        {"reason": "r", "submission_ids": []},
        {"reason": "r", "settings": {"daily_limit": 9}},
        {"reason": "r", "force": True},
    ):
        problem_of(season.admin.post(f"{ADMIN}/rejudgings", json=body), 422, "invalid")


def test_rejudgings_are_their_organizers_alone(season: Season, played: dict[str, Any]) -> None:
    begun = start(season, ground_truth_version=2)["id"]
    other = season.installation.person("other", organizer=True)
    member: Person = season.enters("eve")
    for person in (other, member):
        problem_of(person.get(f"/admin/rejudgings/{begun}"), 404, "not-found")
        problem_of(person.get(f"{ADMIN}/rejudgings"), 404, "not-found")
        problem_of(person.post(f"{ADMIN}/rejudgings", json={"reason": "r"}), 404, "not-found")
        for act in ("apply", "cancel"):
            problem_of(person.post(f"/admin/rejudgings/{begun}/{act}"), 404, "not-found")
    problem_of(
        season.installation.anonymous.get(f"/admin/rejudgings/{begun}"), 401, "not-authenticated"
    )
    assert season.ready(begun)["status"] == "ready"
