"""Sources of custom metrics, their differences, and who may read them."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from sqlalchemy import update

from podium.core.database.engine import database_now
from podium.core.models import Competition
from tests.builders.custom_metrics.scene import METRIC, MetricScene
from tests.builders.installation import Person, problem_of

AGAIN = METRIC.replace("abs()", "pow(2)")


def packed(**files: bytes) -> bytes:
    """A zip with these files, a package."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"metric/{name}.py", content)
    return sink.getvalue()


def opened(scene: MetricScene, *, is_public: bool = True) -> Person:
    """A participant, once everybody sees the competition."""
    scene.upload(METRIC)
    scene.upload(AGAIN)
    scene.change(metric_source_is_public=is_public)
    with scene.installation.application.database.write() as session:
        launched = update(Competition).where(Competition.slug == scene.slug)
        session.execute(launched.values(launched_at=database_now(session)))
    ada = scene.installation.person(f"ada {scene.slug}")
    answer = ada.post(f"/competitions/{scene.slug}/teams", json={"name": "Ada"})
    assert answer.status_code == 201, answer.text
    return ada


def source(person: Person, scene: MetricScene, version: int = 1) -> Any:
    """The answer to who asks for the source."""
    return person.get(f"/competitions/{scene.slug}/metric-files/{version}/source")


def test_a_source_is_saved_as_it_came_and_never_rendered(scene: MetricScene) -> None:
    hostile = METRIC + "\n# <script>alert(1)</script>\n"
    scene.upload(hostile)
    answer = source(scene.organizer, scene)
    assert (answer.status_code, answer.text) == (200, hostile)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-disposition"] == 'attachment; filename="metric-1.py"'


def test_participants_read_the_version_that_scores_where_it_is_public(scene: MetricScene) -> None:
    ada = opened(scene)
    stranger = scene.installation.person(f"carl {scene.slug}")
    for person in (ada, stranger, scene.installation.anonymous):
        assert source(person, scene).text == METRIC
        problem_of(source(person, scene, 2), 404, "not-found")
        found = person.get(f"/competitions/{scene.slug}/metric-file").json()
        assert (found["version"], found["source_is_public"]) == (1, True)
        assert (found["is_reproducible"], found["description"]) == (True, "The mean distance.")
    assert source(scene.organizer, scene, 2).text == AGAIN


def test_a_hidden_source_is_told_by_its_hash_alone(scene: MetricScene) -> None:
    ada = opened(scene, is_public=False)
    problem_of(source(ada, scene), 404, "not-found")
    found = ada.get(f"/competitions/{scene.slug}/metric-file").json()
    assert found["sha256"] == scene.organizer.get(f"{scene.route}/1").json()["sha256"]
    assert (found["description"], found["arguments"]) == (None, None)


def test_only_organizers_see_versions_differences_and_trials(scene: MetricScene) -> None:
    ada = opened(scene)
    other = scene.installation.person(f"oscar {scene.slug}", organizer=True)
    for person in (ada, other):
        for path in ("", "/1", "/2/diff?from=1"):
            problem_of(person.get(scene.route + path), 404, "not-found")
        for path in ("", "/1/trial"):
            problem_of(person.post(scene.route + path, content=METRIC), 404, "not-found")
    anonymous = scene.installation.anonymous
    problem_of(anonymous.post(scene.route, content=METRIC), 401, "not-authenticated")


def test_the_metric_of_a_draft_is_its_organizers_alone(scene: MetricScene) -> None:
    scene.upload(METRIC)
    scene.change(metric_source_is_public=True)
    stranger = scene.installation.person(f"carl {scene.slug}")
    problem_of(stranger.get(f"/competitions/{scene.slug}/metric-file"), 404, "not-found")
    problem_of(source(stranger, scene), 404, "not-found")


def test_two_versions_are_compared_line_by_line(scene: MetricScene) -> None:
    scene.upload(METRIC)
    scene.upload(AGAIN)
    answer = scene.organizer.get(f"{scene.route}/2/diff", params={"from": "1"})
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    changed = [line for line in answer.text.splitlines() if line[:1] in "+-"]
    assert changed == [
        "--- before/metric.py",
        "+++ after/metric.py",
        '-    return (solution["y"] - submission["y"]).abs().mean()',
        '+    return (solution["y"] - submission["y"]).pow(2).mean()',
    ]
    same = scene.organizer.get(f"{scene.route}/2/diff", params={"from": "2"})
    assert (same.status_code, same.text) == (200, "")
    unknown = scene.organizer.get(f"{scene.route}/2/diff", params={"from": "9"})
    problem_of(unknown, 404, "not-found")
