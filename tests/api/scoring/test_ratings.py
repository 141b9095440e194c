"""A competition of predicted ratings from its creation to the reveal: less is better."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation, Person, problem_of

TRUTH = (
    "user,item,rating,Usage\n"
    "1,10,4,Public\n1,11,2,Public\n2,10,5,Public\n"
    "3,10,3,Private\n3,12,1,Private\n4,11,4,Private\n"
)
PAIRS = ["1,10", "1,11", "2,10", "3,10", "3,12", "4,11"]


def file_of(*ratings: float) -> str:
    rows = [f"{pair},{rating}" for pair, rating in zip(PAIRS, ratings, strict=True)]
    return "\n".join(["user,item,rating", *rows, ""])


FAR_IN_PUBLIC = file_of(5, 2, 3, 3, 2, 4)
"""Public errors 1, 0, −2: √(5/3) = 1.29099 and mean 1. Private 0, 1, 0: √(1/3) and 1/3."""

FAR_IN_PRIVATE = file_of(5, 3, 6, 5, 1, 2)
"""Public errors 1, 1, 1: 1. Private 2, 0, −2: √(8/3) = 1.63299 and mean 4/3."""


def test_the_lower_error_leads_on_both_boards(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, preset="rmse", objective_scores="always")
    ada, bob = competition.team(), competition.team()
    seen = competition.judged(ada, FAR_IN_PUBLIC)
    assert seen["public_score"] == 1.29099
    assert seen["objectives"] == {"rating": {"public": 1.29099, "private": None}}
    assert seen["diagnostics"] == {"mae": {"public": 1.0, "private": None}}
    competition.judged(bob, FAR_IN_PRIVATE)
    # A worse file, which predicts 0 everywhere, changes nothing: √(45/3) = 3.87298.
    sample = ada.get(f"/competitions/{competition.slug}/sample-submission").text
    assert sample == file_of(0, 0, 0, 0, 0, 0)
    assert competition.judged(ada, sample)["public_score"] == 3.87298
    assert competition.board("public") == [(1, 1.0), (2, 1.29099)]

    managed = judging.admin.get(f"/submissions/{seen['id']}").json()
    assert managed["private_score"] == 0.57735
    # Users add 1 and 4 to the squares, of 2 and 1 pairs: z = ±7/3 / (2 · 3 · 1.29099), SE = 2 |z|.
    assert managed["standard_error"]["public"] == pytest.approx(7 / 9 / (5 / 3) ** 0.5)

    competition.reveal()
    assert competition.board("private") == [(1, 0.57735), (2, 1.63299)]
    answer = judging.anonymous.get(f"/competitions/{competition.slug}/leaderboard.csv")
    rows = csv.DictReader(io.StringIO(answer.text))
    assert [(row["rank"], row["score"]) for row in rows] == [("1", "1.00000"), ("2", "1.29099")]


def test_the_checklist_knows_the_perfect_and_the_sample_file(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, preset="rmse")
    checks = {check["code"]: check["status"] for check in competition.launched["checklist"]}
    assert checks == {
        "ground-truth": "passed",
        "ends-at": "passed",
        "scorable-split": "passed",
        "public-share": "passed",
        "ground-truth-warning": "warning",
        "perfect-file": "passed",
        "empty-file": "passed",
        "sample-file": "passed",
    }


def test_ratings_that_are_all_zero_are_not_launched(judging: Installation) -> None:
    body = {"slug": "all-zero", "title": "0", "preset": "rmse", "split": "usage"}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 201
    truth = "user,item,rating,Usage\n1,2,0,Public\n3,4,0,Private\n"
    judging.admin.post("/admin/competitions/all-zero/ground-truth", content=truth.encode())
    refused = judging.admin.post("/admin/competitions/all-zero/launch")
    problem = problem_of(refused, 409, "launch-checklist")
    assert [error["code"] for error in problem["errors"]] == ["empty-file"]


def test_pairs_can_be_listed_before_the_truth(judging: Installation) -> None:
    body = {"slug": "listed", "title": "Listed", "preset": "rmse", "split": "usage"}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 201
    pairs = "item,user\n12,3\n10,1\n11,2\n"
    listed = judging.admin.put("/admin/competitions/listed/published-ids", content=pairs.encode())
    assert listed.status_code == 200, listed.text
    assert listed.json()["sessions"] == 3
    route = "/admin/competitions/listed/ground-truth"
    foreign = "user,item,rating,Usage\n1,10,4,Public\n9,9,1,Private\n"
    problem = judging.admin.post(route, content=foreign.encode()).json()
    assert "unpublished-session" in str(problem)
    known = "user,item,rating,Usage\n1,10,4,Public\n3,12,1,Private\n"
    assert judging.admin.post(route, content=known.encode()).status_code == 201
    launched = judging.admin.post("/admin/competitions/listed/launch")
    assert launched.status_code == 200, launched.text
    sample = judging.admin.get("/competitions/listed/sample-submission").text
    assert sample == "user,item,rating\n3,12,0\n1,10,0\n2,11,0\n"


def rejected(competition: Competition, person: Person, file: str) -> Any:
    seen = verdict(person, competition.slug, file.encode())
    assert seen["status"] == "rejected", seen
    return seen["problem"]


def test_a_bad_file_is_refused_with_lines_and_pairs(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, preset="rmse")
    lines = file_of(4, 2, 5, 3, 1, 4).splitlines()
    lines[2], lines[4], lines[5] = "1,11,NaN", "1,10,3", "9,9,1"
    problem = rejected(competition, competition.team(), "\n".join(lines))
    found = [(each["code"], each["line"], each["id"]) for each in problem["errors"]]
    assert found == [
        ("bad-label", 3, "1,11"),
        ("duplicate-id", 5, "1,10"),
        ("unknown-id", 6, "9,9"),
        ("missing-ids", None, None),
    ]
    assert problem["errors"][1]["detail"] == "(1, 10) occurs twice: on line 2 and on line 5"
    assert problem["errors"][3]["detail"] == "2 of 6 pairs are missing: (3, 10), (3, 12)"


@pytest.mark.parametrize(
    "settings",
    [
        {"missing_rows": "zero"},
        {"duplicates": "drop"},
        {"metric": "ndcg@10"},
        {"diagnostics": ["recall@20"]},
        {"objectives": {"a": 1, "b": 1}},
        {"item_column": "user"},
        {"task": "ranking"},
    ],
)
def test_settings_of_lists_are_refused_for_ratings(
    judging: Installation, settings: dict[str, Any]
) -> None:
    body = {"slug": "refused", "title": "Refused", "preset": "rmse", **settings}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 422
