"""A competition of tables from its creation to the reveal: numbers, categories, texts, and columns
that may be empty."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sklearn import metrics as sklearn

from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation, problem_of

TRUTH = (
    "image,price,breed,Usage\n"
    "a.png,10,cat,Public\nb.png,20,dog,Public\nc.png,30,cat,Private\nd.png,40,dog,Private\n"
    "e.png,50,dog,Ignored\n"
)

SETTINGS: dict[str, Any] = {
    "task": "table",
    "id_column": "image",
    "query_ids": "string",
    "table_columns": [
        {"name": "price", "minimum": 0, "maximum": 1000},
        {"name": "breed", "type": "category", "values": ["cat", "dog"]},
        {"name": "note", "type": "text", "is_optional": True, "max_length": 20},
        {"name": "sure", "type": "boolean"},
    ],
    "objectives": {"price": {"weight": 1, "metric": "rmse"}, "breed": {"weight": 2}},
    "metric": "accuracy",
    "split": "usage",
    "objective_scores": "always",
}

GOOD = (
    "image,price,breed,note,sure\n"
    'e.png,1,cat,"quoted, and ""so""",true\n'
    "a.png,13,cat,,False\nb.png,16,cat,é,1\nc.png,30,cat,,0\nd.png,40,dog,,TRUE\n"
)
"""Public: √((9 + 16) / 2) = 3.53553, and one of two breeds. Private: no error."""


def test_a_table_is_scored_on_each_of_its_columns(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    ada, bob = competition.team(), competition.team()
    seen = competition.judged(ada, GOOD)
    assert seen["objectives"]["price"]["public"] == 3.53553
    assert seen["objectives"]["breed"]["public"] == 0.5
    # 2 · 0.5 − 3.53553: an error counts against the score.
    assert seen["public_score"] == -2.53553
    sample = bob.get(f"/competitions/{competition.slug}/sample-submission").text
    rows = "".join(f"{name}.png,0,cat,,false\n" for name in "abcde")
    assert sample == "image,price,breed,note,sure\n" + rows
    # 2 · 0.5 − √((100 + 400) / 2)
    assert competition.judged(bob, sample)["public_score"] == -14.81139
    assert competition.board("public") == [(1, -2.53553), (2, -14.81139)]
    competition.reveal()
    assert competition.board("private") == [(1, 2.0), (2, -34.35534)]


def test_one_objective_is_the_mean_of_many_columns(judging: Installation) -> None:
    names = [f"c{number}" for number in range(40)]
    settings: dict[str, Any] = {
        **{"task": "table", "id_column": "row", "metric": "r2_mean", "split": "usage"},
        "table_columns": [{"name": name} for name in names],
        "objectives": {"all": 1},
    }
    dice = random.Random(368)
    values = [[dice.randrange(1000) for _ in names] for _ in range(6)]
    sides = ["Public", "Private"] * 3
    head = ",".join(["row", *names])
    rows = [f"{row}," + ",".join(map(str, each)) for row, each in enumerate(values)]
    truth = "".join(f"{row},{side}\n" for row, side in zip(rows, sides, strict=True))
    competition = Competition.opened(judging, f"{head},Usage\n{truth}", **settings)
    # Half of the columns are right, and the others are 0.
    given = [[value * (place % 2) for place, value in enumerate(each)] for each in values]
    file = [f"{row}," + ",".join(map(str, each)) for row, each in enumerate(given)]
    seen = competition.judged(competition.team(), "\n".join([head, *file, ""]))

    r2 = sklearn.r2_score(values[::2], given[::2])
    assert seen["public_score"] == pytest.approx(r2, abs=1e-5)
    page = judging.client.get(f"/competitions/{competition.slug}").text
    assert '<a href="/help/metrics/r2_mean">R² (mean)</a>' in page


def test_every_bad_field_is_named_by_line_and_column(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    bad = (
        "image,price,breed,note,sure\n"
        "a.png,1001,cat,,0\nb.png,1e309,Dog,,0\nc.png,NaN,dogg,,maybe\nx.png,1,cat,,0\n"
        "a.png,1,cat,,0\nd.png,1,cat\n"
    )
    problem = verdict(competition.team(), competition.slug, bad.encode())["problem"]
    found = [(each["line"], each["column"], each["code"]) for each in problem["errors"]]
    assert found == [
        (2, "price", "bad-label"),
        (3, "price", "bad-label"),
        (3, "breed", "bad-label"),
        (4, "price", "bad-label"),
        (4, "breed", "bad-label"),
        (4, "sure", "bad-label"),
        (5, "image", "unknown-id"),
        (6, "image", "duplicate-id"),
        (7, None, "row-shape"),
        (None, "image", "missing-ids"),
    ]
    assert problem["errors"][4]["hint"] == "Did you mean “dog”?"
    assert problem["errors"][4]["detail"].startswith("breed: “")
    assert "d.png, e.png" in problem["errors"][-1]["detail"]


def test_the_checklist_tries_the_truth_and_the_sample(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    checks = {each["code"]: each for each in competition.launched["checklist"]}
    musts = ("perfect-file", "empty-file", "defined-metrics", "sample-file")
    assert {code: checks[code]["status"] for code in musts} == dict.fromkeys(musts, "passed")


def test_a_solution_that_lacks_the_column_of_an_objective_is_refused(
    judging: Installation,
) -> None:
    body = {"slug": "no-breed", "title": "No breed", **SETTINGS}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 201
    truth = TRUTH.replace("image,price,breed", "image,price,animal")
    refused = judging.admin.post(
        "/admin/competitions/no-breed/ground-truth", content=truth.encode()
    )
    problem = problem_of(refused, 422, "header-mismatch")
    assert "no column for breed" in problem["errors"][0]["detail"]


def test_two_submissions_are_compared_row_by_row(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    ada = competition.team()
    one = competition.judged(ada, GOOD)["id"]
    other = competition.judged(ada, GOOD.replace("a.png,13", "a.png,10"))["id"]
    path = f"/admin/competitions/{competition.slug}/comparison"
    found = judging.admin.get(path, params={"a": one, "b": other})
    assert found.status_code == 200, found.text
    public = found.json()["splits"]["public"]
    assert public["sessions"] == 2
    [pair] = public["pairs"]
    # √12.5 − √8
    assert pair["objectives"]["price"]["value"] == pytest.approx(0.7071068)
    assert pair["objectives"]["breed"]["value"] == 0
    assert pair["score"]["standard_error"] > 0


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"metric": "rmse"}, "metric"),
        ({"diagnostics": ["mae"]}, "diagnostics.0"),
        ({"objectives": {"price": 1, "wool": 1}}, "objective_columns.wool"),
        ({"table_columns": []}, "table_columns"),
        ({"table_columns": [{"name": "price"}, {"name": "price"}]}, "table_columns"),
        ({"missing_rows": "zero"}, "missing_rows"),
        ({"task": "ranking", "metric": "ndcg@10"}, "table_columns"),
        ({"metric": "ndcg@10"}, "metric"),
        (
            {"table_columns": [*SETTINGS["table_columns"], {"name": "b", "sample": "x"}]},
            "table_columns.4",
        ),
    ],
)
def test_settings_that_do_not_fit_a_table_are_named(
    judging: Installation, changed: dict[str, Any], place: str
) -> None:
    body = {"slug": "unfit-table", "title": "Unfit", **SETTINGS, **changed}
    refused = judging.admin.post("/admin/competitions", json=body)
    assert refused.status_code == 422, refused.text
    named = {error["column"].removeprefix("body.") for error in refused.json()["errors"]}
    assert any(each.startswith(place) for each in named), refused.text


@pytest.mark.parametrize("page", ["", "/submit", "/leaderboard", "/data"])
def test_pages_show_the_columns_of_a_table(judging: Installation, page: str) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    competition.judged(competition.team(), GOOD)
    headers = {"Authorization": f"Bearer {judging.admin.token}"}
    answer = judging.admin.client.get(f"/competitions/{competition.slug}{page}", headers=headers)
    assert answer.status_code == 200, answer.text
    if page in ("", "/submit"):
        assert "a number from 0 to 1000" in answer.text
        assert "one of cat, dog" in answer.text


@pytest.mark.parametrize("page", ["", "/settings", "/ground-truth", "/ground-truth/1"])
def test_pages_of_organizers_show_rows(judging: Installation, page: str) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    headers = {"Authorization": f"Bearer {judging.admin.token}"}
    answer = judging.admin.client.get(f"/organize/{competition.slug}{page}", headers=headers)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("name", ["cluster_column", "weight_column"])
def test_a_column_that_the_solution_is_read_by_outdates_it(
    name: str, installation: Installation
) -> None:
    installation.draft(**SETTINGS)
    route = "/admin/competitions/otto/ground-truth"
    installation.admin.post(route, content=TRUTH.encode())
    more = {"table_columns": [*SETTINGS["table_columns"], {"name": "more"}]}
    assert installation.admin.patch("/admin/competitions/otto", json=more).status_code == 200
    assert installation.admin.get(f"{route}/1").json()["status"] == "stored"
    changed = installation.admin.patch("/admin/competitions/otto", json={name: "breed"})
    assert changed.status_code == 200
    assert installation.admin.get(f"{route}/1").json()["status"] == "outdated"
