"""A competition of tables with a metric file of its organizer's, and who acts in it."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy import select

from podium.core.database.engine import database_now
from podium.core.models import Competition, GroundTruthVersion, PublishedIdList, User
from podium.storage import Area
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

SETTINGS: dict[str, Any] = {
    "task": "table",
    "objectives": {"y": 1},
    "id_column": "id",
    "table_columns": [{"name": "y", "type": "number", "minimum": 0, "maximum": 100}],
    "metric": "own_error",
    "split": {"public_fraction": 0.5},
}


@dataclass
class MetricScene:
    """A draft of tables, and its organizer."""

    installation: Installation
    organizer: Person
    slug: str

    @property
    def route(self) -> str:
        """The path below which its metric files are managed."""
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
        """A ground truth whose rows hold 1, 2, 3 …, as reading one leaves it."""
        frame = pl.DataFrame(
            {
                "place": pl.Series(range(ROWS), dtype=pl.UInt32),
                "id": list(range(100, 100 + ROWS)),
                "y": [float(row + 1) for row in range(ROWS)],
            }
        )
        parts = {
            "public": self._stored(Area.GROUND_TRUTH, frame.head(PUBLIC)),
            "private": self._stored(Area.GROUND_TRUTH, frame.tail(ROWS - PUBLIC)),
        }
        ids = self._stored(Area.FILES, frame.select("id"))
        with self.installation.application.database.write() as session:
            competition = session.scalars(
                select(Competition).where(Competition.slug == self.slug)
            ).one()
            now = database_now(session)
            session.add(
                GroundTruthVersion(
                    competition_id=competition.id,
                    version=1,
                    status="stored",
                    upload_sha256="0" * 64,
                    upload_bytes=1,
                    sha256=self._stored(Area.GROUND_TRUTH, frame),
                    parts=parts,
                    summary={"objectives": _OBJECTIVES, "warnings": [], "sessions": ROWS},
                    created_at=now,
                    created_by=session.scalars(
                        select(User.id).where(User.name == "administrator")
                    ).one(),
                )
            )
            session.add(
                PublishedIdList(
                    competition_id=competition.id,
                    sha256=ids,
                    sessions=ROWS,
                    source="ground-truth",
                    created_at=now,
                )
            )
            competition.active_ground_truth = 1

    def _stored(self, area: Area, frame: pl.DataFrame) -> str:
        sink = io.BytesIO()
        frame.write_parquet(sink)
        content = sink.getvalue()
        writer = self.installation.application.storage.writer(area)
        writer.write(content)
        stored = writer.finish()
        assert stored.sha256 == hashlib.sha256(content).hexdigest()
        return stored.sha256


_SPLIT = {"denominator": PUBLIC, "queries": PUBLIC, "labels": PUBLIC}
_OBJECTIVES = {"y": {"public": _SPLIT, "private": _SPLIT}}


def draft_of_tables(installation: Installation, organizer: Person, slug: str) -> MetricScene:
    """A draft with these columns, and no ground truth."""
    body = {"slug": slug, "title": slug, **SETTINGS}
    answer = organizer.post("/admin/competitions", json=body)
    assert answer.status_code == 201, answer.text
    return MetricScene(installation, organizer, slug)
