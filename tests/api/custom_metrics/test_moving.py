"""Competitions with a custom metric, moved in an archive: trust is asked for before code comes."""

from __future__ import annotations

from typing import Any

from tests.builders.custom_metrics.scene import METRIC, MetricScene, launched
from tests.builders.installation import problem_of


def imported(scene: MetricScene, archive: bytes, **query: Any) -> Any:
    """The answer to an import under another slug."""
    query = {"slug": f"again-{scene.slug}", "people": "same", **query}
    admin = scene.installation.admin
    return admin.post("/admin/competitions/import", content=archive, params=query)


def test_an_archive_with_code_is_taken_by_those_who_trust_it(scene: MetricScene) -> None:
    launched(scene)
    way = f"/admin/competitions/{scene.slug}/export"
    archive = scene.installation.admin.get(way, params={"full": "true"}).content
    problem = problem_of(imported(scene, archive), 422, "metric-trust")
    assert "run that code on this server" in problem["detail"]
    answer = imported(scene, archive, trust_metric="true")
    assert answer.status_code == 201, answer.text
    admin, again = scene.installation.admin, f"again-{scene.slug}"
    kept = admin.get(f"/admin/competitions/{again}/metric-files/1").json()
    before = scene.organizer.get(f"{scene.route}/1").json()
    assert {**kept, "id": "", "created_by": {}} == {**before, "id": "", "created_by": {}}
    source = admin.get(f"/competitions/{again}/metric-files/1/source")
    assert source.text == METRIC
    tried = admin.post(f"/admin/competitions/{again}/metric-files/1/trial").json()
    assert tried["public"]["score"] == 3.5
