"""Custom metrics in the life of a competition: changed by rejudgings alone, kept, and removed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from podium.competitions.queries import deletion
from podium.core.models import Competition, MetricVersion
from podium.settings import Settings
from podium.storage import Area
from podium.submissions.service import retention
from tests.builders.custom_metrics.scene import (
    METRIC,
    WITH_ARGUMENT,
    MetricScene,
    draft_of_tables,
    launched,
)
from tests.builders.installation import Installation, client_of, problem_of
from tests.builders.sandbox.in_process import InProcess, build_in_process


def rejudged(scene: MetricScene, **own: Any) -> Any:
    """The answer to a rejudging with this metric."""
    body = {"reason": "a better metric", "settings": {"own_metric": own}}
    return scene.organizer.post(f"/admin/competitions/{scene.slug}/rejudgings", json=body)


def test_after_the_launch_a_version_scores_by_a_rejudging(scene: MetricScene) -> None:
    launched(scene)
    scene.upload(WITH_ARGUMENT)
    given = {"version": 2, "arguments": {"beta": 2}}
    problem_of(scene.change(own_metric=given), 409, "needs-rejudging")
    problem_of(rejudged(scene, version=3), 422, "unknown-metric-version")
    problem_of(rejudged(scene, version=2), 422, "metric-arguments")
    answer = rejudged(scene, **given)
    assert answer.status_code == 202, answer.text
    assert answer.json()["settings"]["own_metric"]["version"] == 2
    assert scene.look()["own_metric"]["version"] == 1


def test_whether_the_source_is_public_changes_freely(scene: MetricScene) -> None:
    launched(scene)
    assert scene.change(metric_source_is_public=True).status_code == 200


def test_the_files_of_versions_are_kept_and_go_with_the_competition(scene: MetricScene) -> None:
    kept = scene.upload(METRIC + f"\n# {scene.slug}\n").json()["sha256"]
    application = scene.installation.application
    storage, database = application.storage, application.database

    def tidied() -> int | None:
        for _ in range(2):
            retention.tidy(database, storage, unnamed_seconds=-1, aside_seconds=-1)
        return storage.size(Area.METRICS, kept)

    assert tidied() is not None
    with database.write() as session:
        row = session.scalars(select(Competition).where(Competition.slug == scene.slug)).one()
        deletion.remove_all(session, competition_id=row.id)
        left = select(MetricVersion).where(MetricVersion.competition_id == row.id)
        assert session.scalars(left).all() == []
    assert tidied() is None


class NoForeignCode(InProcess):
    """A sandbox of an installation that runs no code of organizers."""

    def custom_metrics_refusal(self) -> str | None:
        return "This installation runs none. Ask the operator."


def test_nothing_is_taken_where_the_installation_runs_no_metrics(
    sqlite_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path / "data", database_url=sqlite_url, min_free_bytes=0)
    application = replace(build_in_process(settings), sandbox=NoForeignCode())
    with client_of(application) as client:
        installation = Installation(client, application)
        scene = draft_of_tables(installation, installation.admin, "tables")
        problem = problem_of(scene.upload(METRIC), 403, "metrics-off")
        assert problem["detail"] == "This installation runs none. Ask the operator."
        listed = scene.organizer.get(scene.route).json()
        assert (listed["items"], listed["refusal"]) == ([], problem["detail"])
        body = {"slug": "authors", "title": "Authors", "preset": "spooky-authors"}
        refused = problem_of(
            scene.organizer.post("/admin/competitions", json=body), 403, "metrics-off"
        )
        assert refused["detail"] == problem["detail"]
        assert scene.organizer.get("/competitions/authors").status_code == 404
    application.close()
