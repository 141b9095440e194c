"""The longest run of a metric: what the competition says, within what the installation allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from podium.sandbox import Limits, Result, SandboxTask
from podium.sandbox.definitions.custom_metrics import RunMetric
from podium.sandbox.definitions.tables import ReadTable
from podium.settings import Settings
from podium.worker.service import start
from tests.builders.custom_metrics.scene import METRIC, ROWS, MetricScene, draft_of_tables
from tests.builders.installation import Installation, client_of
from tests.builders.sandbox.in_process import InProcess, build_in_process
from tests.builders.season import until


class Timed(InProcess):
    """Notes the wall time that each task may take."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: dict[str, set[float]] = {}

    def run(self, task: SandboxTask[Any], *, limits: Limits, **given: Any) -> Result[Any]:
        """As in any process of tests."""
        self.seconds.setdefault(task.NAME, set()).add(limits.wall_seconds)
        return super().run(task, limits=limits, **given)


@pytest.fixture
def timed() -> Timed:
    """The sandbox of the installation."""
    return Timed()


@pytest.fixture
def scene(timed: Timed, sqlite_url: str, tmp_path: Path) -> Iterator[MetricScene]:
    """A draft of tables that has its ground truth and its metric."""
    settings = Settings(
        data_dir=tmp_path / "data",
        database_url=sqlite_url,
        min_free_bytes=0,
        judging_seconds=100,
        custom_metric_seconds=200,
    )
    application = replace(build_in_process(settings), sandbox=timed)
    with client_of(application) as client:
        installation = Installation(client, application)
        scene = draft_of_tables(installation, installation.admin, "tables")
        scene.load_truth()
        assert scene.upload(METRIC).status_code == 201
        service = start(application)
        yield scene
        service.stop()
    application.close()


@pytest.mark.parametrize(("wanted", "given"), [(600, 200), (150, 150), (60, 60)])
def test_runs_take_as_long_as_the_competition_says_within_the_installations_limit(
    scene: MetricScene, timed: Timed, wanted: int, given: int
) -> None:
    assert scene.change(own_metric={"version": 1, "seconds": wanted}).status_code == 200
    timed.seconds.clear()
    assert scene.organizer.post(f"{scene.route}/1/trial").status_code == 200
    assert (timed.seconds[RunMetric.NAME], timed.seconds[ReadTable.NAME]) == ({given}, {100})

    timed.seconds.clear()
    assert scene.organizer.post("/admin/competitions/tables/launch").status_code == 200
    assert (timed.seconds[RunMetric.NAME], timed.seconds[ReadTable.NAME]) == ({given}, {100})

    timed.seconds.clear()
    person = scene.installation.person("ada")
    assert person.post("/competitions/tables/teams", json={"name": "Ada"}).status_code == 201
    rows = "".join(f"{100 + row},1\n" for row in range(ROWS))
    sent = person.post("/competitions/tables/submissions", content=f"id,y\n{rows}").json()
    until(lambda: person.get(f"/submissions/{sent['id']}").json()["status"] == "scored")
    assert (timed.seconds[RunMetric.NAME], timed.seconds[ReadTable.NAME]) == ({given}, {100})
