"""A competition of label sets from its creation to the reveal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders.competing import Competition, verdict
from tests.builders.installation import Installation, problem_of

TRUTH = (
    "image,labels,Usage\n"
    "a.png,beach people,Public\nb.png,snow,Public\nc.png,7 007,Private\nd.png,,Private\n"
    "e.png,beach,Private\nf.png,snow,Ignored\n"
)

SETTINGS: dict[str, Any] = {
    "task": "label-sets",
    "id_column": "image",
    "query_ids": "string",
    "objectives": {"labels": 1},
    "metric": "f1_micro",
    "diagnostics": ["hamming_loss", "subset_accuracy", "f1_samples"],
    "split": "usage",
}

GOOD = "image,labels\nf.png,x y z\nb.png,snow fog\na.png,people\nc.png,007 7\nd.png,\ne.png,beach\n"
"""Public: TP 2, FP 1, FN 1. Private: all right."""


def test_sets_of_labels_are_scored_without_order(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    ada, bob = competition.team(), competition.team()
    seen = competition.judged(ada, GOOD)
    assert seen["public_score"] == round(4 / 6, 5)
    sample = bob.get(f"/competitions/{competition.slug}/sample-submission").text
    assert sample == "image,labels\n" + "".join(f"{name}.png,\n" for name in "abcdef")
    assert competition.judged(bob, sample)["public_score"] == 0
    competition.reveal()
    assert competition.board("private") == [(1, 1.0), (2, 0.0)]


def test_the_checklist_tries_truth_and_sample(judging: Installation) -> None:
    launched = Competition.opened(judging, TRUTH, **SETTINGS).launched
    checks = {each["code"]: each["status"] for each in launched["checklist"]}
    musts = ("perfect-file", "empty-file", "defined-metrics", "sample-file")
    assert {code: checks[code] for code in musts} == dict.fromkeys(musts, "passed")


def test_the_only_column_needs_no_description(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    found = judging.anonymous.get(f"/competitions/{competition.slug}").json()
    assert [(each["name"], each["type"]) for each in found["table_columns"]] == [
        ("labels", "labels")
    ]


@pytest.mark.parametrize(
    ("fields", "detail", "hint"),
    [
        ("snow snow", "labels: the label “snow” occurs twice", "name each once"),
        ("snow Beach", "labels: “Beach” is not one of the labels", "“beach”"),
        ("snow,fog", "", ""),
    ],
)
def test_bad_sets_are_refused_with_their_line(
    judging: Installation, fields: str, detail: str, hint: str
) -> None:
    values = ["beach", "people", "snow", "fog", "7", "007"]
    column = {"name": "labels", "type": "labels", "values": values}
    competition = Competition.opened(judging, TRUTH, **SETTINGS, table_columns=[column])
    file = GOOD.replace("x y z", "").replace("snow fog", fields)
    problem = verdict(competition.team(), competition.slug, file.encode())["problem"]
    [found] = problem["errors"][:1]
    assert found["line"] == 3
    assert found["detail"].startswith(detail)
    assert hint in (found["hint"] or "")


def test_a_label_twice_in_the_solution_is_refused_with_its_line(judging: Installation) -> None:
    body = {"slug": "twice", "title": "Twice", **SETTINGS}
    assert judging.admin.post("/admin/competitions", json=body).status_code == 201
    truth = TRUTH.replace("e.png,beach", "e.png,beach beach")
    refused = judging.admin.post("/admin/competitions/twice/ground-truth", content=truth.encode())
    [found] = problem_of(refused, 422, "bad-label")["errors"]
    assert (found["line"], found["column"]) == (6, "labels")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"metric": "rmse"}, "metric"),
        ({"metric": "accuracy"}, "metric"),
        ({"table_columns": [{"name": "labels"}]}, "metric"),
        (
            {"table_columns": [{"name": "labels", "type": "labels", "values": ["a b"]}]},
            "table_columns.0",
        ),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    judging: Installation, changed: dict[str, Any], place: str
) -> None:
    body = {"slug": "no-sets", "title": "No sets", **SETTINGS, **changed}
    refused = judging.admin.post("/admin/competitions", json=body)
    assert refused.status_code == 422
    assert place in [each["column"].removeprefix("body.") for each in refused.json()["errors"]]
