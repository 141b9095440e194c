"""Rules about custom metrics: the same wherever one runs, and no end to one that is in force."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.core.models import MetricVersion
from podium.storage import Area
from podium.worker.service import start
from tests.builders.custom_metrics.scene import METRIC, ROWS, MetricScene, launched
from tests.builders.installation import problem_of
from tests.builders.season import until
from tests.builders.site import Site

LARGE = "def score(solution, submission, row_id_column_name):\n    return 1.7e308\n"

BOUND = "The score is 1.7e+308: with 5 decimals a board holds numbers below 4.612e+13."

UNLISTED = "psutil is not on the list of packages. A metric may import the standard library,"


def test_a_score_that_no_board_holds_fails_in_a_trial_and_before_a_launch(
    scene: MetricScene,
) -> None:
    scene.load_truth()
    scene.upload(LARGE)

    tried = scene.organizer.post(f"{scene.route}/1/trial").json()
    refused = problem_of(_launch(scene), 409, "launch-checklist")

    assert {tried[split]["outcome"] for split in ("public", "private")} == {"failed"}
    assert tried["public"]["report"].startswith(BOUND)
    assert tried["public"]["score"] is None
    found = {each["code"]: each["detail"] for each in refused["errors"]}
    assert BOUND in found["own-metric-runs"]


def test_a_number_that_the_diagnostics_name_and_the_metric_does_not_tell_fails_there_too(
    scene: MetricScene,
) -> None:
    scene.load_truth()
    scene.upload()
    assert scene.change(diagnostics=["own_gain"]).status_code == 200

    tried = scene.organizer.post(f"{scene.route}/1/trial").json()

    assert tried["public"]["report"].startswith("The metric told no finite number gain, which is")
    problem_of(_launch(scene), 409, "launch-checklist")


def test_the_bootstrap_of_a_metric_runs_in_a_trial_as_in_a_judging(scene: MetricScene) -> None:
    scene.load_truth()
    scene.upload()
    assert scene.change(own_metric={"version": 1, "resamples": 20}).status_code == 200

    tried = scene.organizer.post(f"{scene.route}/1/trial").json()

    assert tried["public"]["standard_error"] > 0


def test_an_import_that_is_not_on_the_list_is_refused_with_its_line(scene: MetricScene) -> None:
    source = METRIC.replace("    return", "    import psutil\n    return")

    problem = problem_of(scene.upload(source), 422, "bad-metric-file")

    [found] = problem["errors"]
    assert (found["code"], found["line"]) == ("import", 4)
    assert found["detail"].startswith(UNLISTED)


def test_a_version_of_before_the_list_is_refused_by_a_launch(
    scene: MetricScene, tmp_path: Path
) -> None:
    scene.load_truth()
    scene.upload()
    _as_before(scene, "import psutil\n" + METRIC, tmp_path)

    tried = scene.organizer.post(f"{scene.route}/1/trial").json()
    refused = problem_of(_launch(scene), 409, "launch-checklist")

    assert UNLISTED in tried["public"]["report"]
    found = {each["code"]: each for each in refused["errors"]}["own-metric-runs"]
    assert UNLISTED in found["detail"]


def test_a_version_of_before_the_list_that_is_in_force_goes_on_with_a_warning(
    scene: MetricScene, tmp_path: Path
) -> None:
    launched(scene)
    _as_before(scene, "import psutil\n" + METRIC, tmp_path)
    person = scene.installation.person(f"ada {scene.slug}")
    way = f"/competitions/{scene.slug}"
    assert person.post(f"{way}/teams", json={"name": "Ada"}).status_code == 201
    rows = "".join(f"{100 + row},1\n" for row in range(ROWS))
    service = start(scene.installation.application)
    try:
        sent = person.post(f"{way}/submissions", content=f"id,y\n{rows}").json()
        until(lambda: person.get(f"/submissions/{sent['id']}").json()["status"] == "scored")
        tried = scene.organizer.post(f"{scene.route}/1/trial").json()
    finally:
        service.stop()

    browser = Site(scene.installation).browser(scene.organizer)
    assert tried["public"]["outcome"] == "measured"
    [warning] = scene.organizer.get(way).json()["metric_warnings"]
    assert warning.startswith(UNLISTED)
    assert scene.organizer.get(f"{scene.route}/1").json()["warnings"] == [warning]
    for page in (f"/organize/{scene.slug}", f"/organize/{scene.slug}/metric/1"):
        assert UNLISTED in browser.get(page).text
    assert "metric_warnings" not in person.get(way).json()


def _launch(scene: MetricScene) -> Any:
    return scene.organizer.post(f"/admin/competitions/{scene.slug}/launch")


def _as_before(scene: MetricScene, source: str, folder: Path) -> None:
    """The first version as an earlier one of the program has stored it."""
    application = scene.installation.application
    (folder / "metric.py").write_text(source)
    stored = application.storage.add(Area.METRICS, folder / "metric.py")
    with application.database.write() as session:
        id_ = scene.organizer.get(f"{scene.route}/1").json()["id"]
        row = session.get_one(MetricVersion, id_)
        row.sha256, row.bytes = stored.sha256, stored.size
        row.checked = {name: each for name, each in (row.checked or {}).items() if name != "rules"}
