"""A competition of tables with a custom metric, and who acts in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import update

from podium.core.database.engine import database_now
from podium.core.models import Competition
from tests.builders.installation import Installation, Person

ROWS = 12
PUBLIC = ROWS // 2
"""The first so many rows are public."""

METRIC = '''
def score(solution, submission, row_id_column_name):
    """The mean distance."""
    return (solution["y"] - submission["y"]).abs().mean()
'''
"""Less is better; the sample, all zeros, is at the mean of the truth."""

WITH_ARGUMENT = METRIC.replace("row_id_column_name)", "row_id_column_name, beta: float)")

WITH_LIST = METRIC.replace(
    "row_id_column_name)", "row_id_column_name, weights: list[float])"
).replace(".mean()", ".mean() * sum(weights)")

SETTINGS: dict[str, Any] = {
    "task": "table",
    "objectives": {"y": 1},
    "id_column": "id",
    "table_columns": [{"name": "y", "type": "number", "minimum": 0, "maximum": 100}],
    "metric": "own_error",
    "split": "usage",
}


@dataclass
class MetricScene:
    """A draft of tables, and its organizer."""

    installation: Installation
    organizer: Person
    slug: str

    @property
    def route(self) -> str:
        """The path below which its custom metrics are managed."""
        return f"/admin/competitions/{self.slug}/metric-files"

    def upload(self, source: str | bytes = METRIC, **query: Any) -> Any:
        """The answer to an upload."""
        return self.organizer.post(self.route, content=source, params=query)

    def change(self, **settings: Any) -> Any:
        """The answer to a change of settings."""
        return self.organizer.patch(f"/admin/competitions/{self.slug}", json=settings)

    def look(self) -> Any:
        """The settings as the organizer sees them."""
        return self.organizer.get(f"/competitions/{self.slug}").json()["settings"]

    def load_truth(self) -> None:
        """A ground truth whose rows hold the numbers from 1 on."""
        rows = [
            f"{100 + row},{row + 1},{'Public' if row < PUBLIC else 'Private'}\n"
            for row in range(ROWS)
        ]
        content = "id,y,Usage\n" + "".join(rows)
        way = f"/admin/competitions/{self.slug}/ground-truth"
        answer = self.organizer.post(way, content=content)
        assert answer.status_code == 201, answer.text


def draft_of_tables(installation: Installation, organizer: Person, slug: str) -> MetricScene:
    """A draft with these columns, and no ground truth."""
    body = {"slug": slug, "title": slug, **SETTINGS}
    answer = organizer.post("/admin/competitions", json=body)
    assert answer.status_code == 201, answer.text
    return MetricScene(installation, organizer, slug)


def launched(scene: MetricScene, source: str = METRIC) -> None:
    """Opens the competition, whose first version scores."""
    scene.load_truth()
    scene.upload(source)
    with scene.installation.application.database.write() as session:
        found = update(Competition).where(Competition.slug == scene.slug)
        session.execute(found.values(launched_at=database_now(session)))
