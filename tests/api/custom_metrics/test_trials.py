"""Trials of a metric: the numbers, or the error with its line; nothing is counted."""

from __future__ import annotations

import json
from typing import Any

from tests.builders.custom_metrics.scene import METRIC, ROWS, WITH_ARGUMENT, WITH_LIST, MetricScene
from tests.builders.installation import problem_of

RIGHT = "id,y\n" + "".join(f"{100 + row},{row + 1}\n" for row in range(ROWS))


def tried(scene: MetricScene, content: str = "", version: int = 1, **arguments: Any) -> Any:
    """The answer to a trial."""
    query = {"arguments": json.dumps(arguments)} if arguments else {}
    return scene.organizer.post(f"{scene.route}/{version}/trial", content=content, params=query)


def test_the_sample_submission_is_scored_on_either_split(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload(METRIC + "\nprint('loaded')\n")
    found = tried(scene).json()
    shown = {split: (found[split]["outcome"], found[split]["score"]) for split in SPLITS}
    assert shown == {"public": ("measured", 3.5), "private": ("measured", 9.5)}
    assert found["public"]["output"] == "loaded\n"
    assert (found["version"], found["public"]["rows"]) == (1, ROWS / 2)
    assert found["public"]["seconds"] >= 0


SPLITS = ("public", "private")


def test_a_file_of_the_organizers_is_scored(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload()
    found = tried(scene, RIGHT).json()
    assert [found[split]["score"] for split in SPLITS] == [0, 0]
    assert scene.organizer.get(f"/competitions/{scene.slug}").json()["counts"]["submissions"] == 0


def test_a_bad_file_is_told_as_that_of_a_participant(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload()
    problem_of(tried(scene, "a,b\n1,2\n"), 422, "header-mismatch")


def test_a_failure_is_told_with_its_line(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload("def score(solution, submission, row_id_column_name):\n    return 1 / 0\n")
    found = tried(scene).json()["public"]
    assert (found["outcome"], found["score"], found["line"]) == ("failed", None, 2)
    assert found["report"].rstrip().endswith("ZeroDivisionError: division by zero")


def test_what_a_participant_would_read_is_told_as_such(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload(
        "class ParticipantVisibleError(Exception): pass\n"
        "def score(solution, submission, row_id_column_name):\n"
        "    raise ParticipantVisibleError('negative')\n"
    )
    found = tried(scene).json()["private"]
    assert (found["outcome"], found["text"], found["report"]) == ("refused", "negative", "")


def test_a_score_that_is_no_number_is_a_failure(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload("def score(solution, submission, row_id_column_name):\n    return float('nan')\n")
    found = tried(scene).json()["public"]
    assert (found["outcome"], found["score"]) == ("failed", None)


def test_other_arguments_than_those_of_the_settings_can_be_tried(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload(WITH_ARGUMENT.replace(".mean()", ".mean() * beta"))
    problem_of(tried(scene), 422, "metric-arguments")
    assert tried(scene, beta=2).json()["public"]["score"] == 7
    problem_of(tried(scene, beta="two"), 422, "metric-arguments")
    wrong = scene.organizer.post(f"{scene.route}/1/trial", params={"arguments": "[1]"})
    problem_of(wrong, 422, "metric-arguments")
    scene.change(own_metric={"version": 1, "arguments": {"beta": 4}})
    assert tried(scene).json()["public"]["score"] == 14


def test_an_array_can_be_tried(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload(WITH_LIST)
    assert tried(scene, weights=[1, 0.5]).json()["public"]["score"] == 3.5 * 1.5
    for text in ('{"weights": [1, "a"]}', '{"weights": [NaN]}', '{"weights": [[1]]}', "[" * 999):
        wrong = scene.organizer.post(f"{scene.route}/1/trial", params={"arguments": text})
        problem_of(wrong, 422, "metric-arguments")
    scene.change(own_metric={"version": 1, "arguments": {"weights": [2, 2]}})
    assert tried(scene).json()["public"]["score"] == 14


def test_without_a_ground_truth_there_is_nothing_to_try(scene: MetricScene) -> None:
    scene.upload()
    problem_of(tried(scene), 409, "wrong-state")


def test_a_rejected_file_cannot_be_tried(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload("def score(:\n")
    (row,) = scene.organizer.get(scene.route).json()["items"]
    problem_of(scene.organizer.post(f"{scene.route}/{row['id']}/trial"), 404, "not-found")
