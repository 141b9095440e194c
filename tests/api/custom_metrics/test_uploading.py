"""Custom metrics: uploaded, numbered, rejected with lines, and used."""

from __future__ import annotations

import hashlib

from podium.custom_metric_runner.packages import installed
from tests.builders.custom_metrics.scene import METRIC, WITH_ARGUMENT, WITH_LIST, MetricScene
from tests.builders.installation import problem_of


def test_a_good_file_becomes_the_first_version_and_scores(scene: MetricScene) -> None:
    answer = scene.upload(METRIC, filename="/home/olga/mine.py", note="the first one")
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/api/v1{scene.route}/1"
    found = answer.json()
    assert found == scene.organizer.get(f"{scene.route}/1").json()
    assert found["sha256"] == hashlib.sha256(METRIC.encode()).hexdigest()
    assert found["created_by"]["id"] == scene.organizer.id
    shown = {name: found[name] for name in ("version", "status", "in_force", "file_name", "note")}
    assert shown == {
        "version": 1,
        "status": "stored",
        "in_force": True,
        "file_name": "mine.py",
        "note": "the first one",
    }
    assert (found["description"], found["packages"]) == ("The mean distance.", installed())
    assert scene.look()["own_metric"]["version"] == 1


def test_a_later_file_has_the_next_number_and_does_not_score_by_itself(
    scene: MetricScene,
) -> None:
    scene.upload(METRIC)
    second = scene.upload(METRIC + "\n# again\n").json()
    assert (second["version"], second["in_force"]) == (2, False)
    assert scene.look()["own_metric"]["version"] == 1
    listed = scene.organizer.get(scene.route).json()
    assert [each["version"] for each in listed["items"]] == [2, 1]
    assert listed["refusal"] is None


def test_the_same_bytes_are_the_same_version(scene: MetricScene) -> None:
    scene.upload(METRIC)
    again = scene.upload(METRIC)
    assert (again.status_code, again.json()["version"]) == (200, 1)


def test_a_bad_file_is_rejected_with_the_line(scene: MetricScene) -> None:
    problem = problem_of(scene.upload("x = 1\ndef score(:\n"), 422, "bad-metric-file")
    assert problem["errors"][0]["line"] == 2
    assert problem["detail"].startswith("Line 2: ")
    (row,) = scene.organizer.get(scene.route).json()["items"]
    assert (row["status"], row["version"], row["problem"]["code"]) == (
        "rejected",
        None,
        "bad-metric-file",
    )
    kept = scene.organizer.get(f"{scene.route}/{row['id']}").json()
    assert kept["problem"]["errors"] == problem["errors"]
    assert scene.look().get("own_metric") is None


def test_a_metric_that_needs_an_argument_scores_once_it_has_one(scene: MetricScene) -> None:
    assert scene.upload(WITH_ARGUMENT).json()["in_force"] is False
    lacking = problem_of(scene.change(own_metric={"version": 1}), 422, "metric-arguments")
    assert lacking["errors"][0]["column"] == "own_metric.arguments.beta"
    wrong = {"version": 1, "arguments": {"beta": "two"}}
    problem_of(scene.change(own_metric=wrong), 422, "metric-arguments")
    mistyped = {"version": 1, "arguments": {"bet": 2, "beta": 2}}
    found = problem_of(scene.change(own_metric=mistyped), 422, "metric-arguments")
    assert found["errors"][0]["detail"].endswith("Did you mean beta?")
    good = scene.change(own_metric={"version": 1, "arguments": {"beta": 2}})
    assert good.status_code == 200, good.text
    assert scene.organizer.get(f"{scene.route}/1").json()["in_force"] is True


def test_an_argument_that_is_a_list_takes_an_array(scene: MetricScene) -> None:
    kept = scene.upload(WITH_LIST).json()
    assert [(each["name"], each["type"], each["default"]) for each in kept["arguments"]] == [
        ("weights", "list[float]", None)
    ]
    for value, code, place in (
        (["a"], "metric-arguments", "own_metric.arguments.weights"),
        (2, "metric-arguments", "own_metric.arguments.weights"),
        ([1, "a"], "invalid", "body.own_metric.arguments.weights"),
        ([[1]], "invalid", "body.own_metric.arguments.weights"),
        ([1] * 1_001, "invalid", "body.own_metric.arguments.weights"),
    ):
        given = {"version": 1, "arguments": {"weights": value}}
        found = problem_of(scene.change(own_metric=given), 422, code)
        assert [each["column"] for each in found["errors"]] == [place]
    good = scene.change(own_metric={"version": 1, "arguments": {"weights": [3, 0.5]}})
    assert good.status_code == 200, good.text
    assert scene.look()["own_metric"]["arguments"] == {"weights": [3, 0.5]}


def test_settings_name_a_version_that_is_stored(scene: MetricScene) -> None:
    scene.upload("def score(:\n")
    found = problem_of(scene.change(own_metric={"version": 1}), 422, "unknown-metric-version")
    assert found["errors"][0]["column"] == "own_metric.version"


def test_a_competition_of_lists_has_no_custom_metrics(scene: MetricScene) -> None:
    body = {"slug": f"lists-{scene.slug}", "title": "Lists", "preset": "otto"}
    scene.organizer.post("/admin/competitions", json=body)
    route = scene.route.replace(scene.slug, body["slug"])
    problem_of(scene.organizer.post(route, content=METRIC), 409, "not-a-table")


def test_too_large_a_file_is_refused(scene: MetricScene) -> None:
    problem_of(scene.upload(b"#" * ((5 << 20) + 1)), 413, "too-large")


def test_everything_is_in_the_log(scene: MetricScene) -> None:
    scene.upload("def score(:\n")
    scene.upload(METRIC)
    entries = scene.organizer.get("/admin/audit", params={"competition": scene.slug}).json()
    acts = [each["action"] for each in entries["items"]]
    assert acts[:5] == [
        "competition.change",
        "metric-file.store",
        "metric-file.upload",
        "metric-file.reject",
        "metric-file.upload",
    ]
