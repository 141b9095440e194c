"""The launch checklist of a competition with a metric of its own."""

from __future__ import annotations

from typing import Any

from tests.builders.custom_metrics.scene import METRIC, MetricScene
from tests.builders.installation import problem_of


def checked(scene: MetricScene, source: str = METRIC, **own: Any) -> dict[str, Any]:
    """The lines of the checklist by their codes, with this metric."""
    scene.load_truth()
    scene.upload(source)
    if own:
        scene.change(own_metric={"version": 1, **own})
    answer = scene.organizer.get(f"/admin/competitions/{scene.slug}/launch")
    assert answer.status_code == 200, answer.text
    return {line["code"]: line for line in answer.json()["items"]}


def launched(scene: MetricScene) -> Any:
    """The answer to a launch."""
    return scene.organizer.post(f"/admin/competitions/{scene.slug}/launch")


def metric(body: str, first: str = "") -> str:
    """A custom metric whose function ends like this."""
    return f"{first}\ndef score(solution, submission, row_id_column_name):\n    {body}\n"


DISTANCE = '(solution["y"] - submission["y"]).abs()'


def test_a_good_metric_is_told_in_numbers_and_launches(scene: MetricScene) -> None:
    lines = checked(scene)
    assert {code: line["status"] for code, line in lines.items() if "own-metric" in code} == {
        "own-metric": "passed",
        "own-metric-runs": "passed",
        "own-metric-perfect": "passed",
        "own-metric-sample": "passed",
        "own-metric-chance": "passed",
        "own-metric-shuffled": "passed",
        "own-metric-solution": "passed",
        "own-metric-direction": "passed",
        "own-metric-reproducible": "passed",
        "own-metric-order": "passed",
    }
    assert lines["own-metric"]["detail"] == "Version 1 of the custom metric scores."
    assert lines["own-metric-perfect"]["detail"].startswith("The solution itself scores 0 (public,")
    assert lines["own-metric-sample"]["detail"].startswith("The sample submission scores 3.5 (")
    assert launched(scene).status_code == 200


def test_without_a_metric_file_nothing_is_launched(scene: MetricScene) -> None:
    scene.load_truth()
    problem = problem_of(launched(scene), 409, "launch-checklist")
    assert [each["code"] for each in problem["errors"]] == ["own-metric"]


def test_a_metric_that_fails_stops_the_launch_with_its_line(scene: MetricScene) -> None:
    lines = checked(scene, metric("raise KeyError('z')"))
    assert lines["own-metric-runs"] == {
        "code": "own-metric-runs",
        "detail": "The metric fails in line 3: KeyError: 'z' (the solution itself, public split).",
        "status": "missing",
    }
    assert not {"own-metric-order", "own-metric-reproducible"} & lines.keys()


def test_scores_that_depend_on_hashes_stop_the_launch_unless_declared(scene: MetricScene) -> None:
    by_chance = metric(f"return {DISTANCE}.mean() + random.random()", "import random")
    lines = checked(scene, by_chance)
    assert lines["own-metric-reproducible"]["status"] == "missing"
    problem_of(launched(scene), 409, "launch-checklist")
    scene.change(own_metric={"version": 1, "is_reproducible": False})
    answer = launched(scene)
    assert answer.status_code == 200, answer.text
    assert any("declared as not reproducible" in each for each in answer.json()["warnings"])


def test_the_wrong_direction_is_a_warning(scene: MetricScene) -> None:
    lines = checked(scene, metric(f"return -{DISTANCE}.mean()"))
    assert lines["own-metric-direction"]["status"] == "warning"
    assert "lower is better" in lines["own-metric-direction"]["detail"]


def test_a_score_that_depends_on_the_order_of_rows_is_a_warning(scene: MetricScene) -> None:
    body = f"return float(({DISTANCE}.to_numpy() * np.arange(len(solution))).mean())"
    lines = checked(scene, metric(body, "import numpy as np"))
    assert lines["own-metric-order"]["status"] == "warning"


def test_a_difference_in_the_last_bits_by_order_is_none(scene: MetricScene) -> None:
    source = metric(f"return 1 + 1e-13 * float({DISTANCE}.iloc[0])")
    assert checked(scene, source)["own-metric-order"]["status"] == "passed"


def test_what_participants_would_read_of_the_sample_is_a_warning(scene: MetricScene) -> None:
    first = "class ParticipantVisibleError(Exception): pass"
    body = (
        "if submission['y'].max() == 0: raise ParticipantVisibleError('all zero')\n"
        f"    return {DISTANCE}.mean()"
    )
    lines = checked(scene, metric(body, first))
    assert lines["own-metric-refuses"]["status"] == "warning"
    assert "“all zero”" in lines["own-metric-refuses"]["detail"]
    assert lines["own-metric-runs"]["status"] == "passed"


def test_a_version_that_is_gone_from_the_settings_is_told(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload(METRIC)
    scene.change(own_metric=None)
    problem = problem_of(launched(scene), 409, "launch-checklist")
    assert problem["detail"].startswith("No custom metric scores.")
