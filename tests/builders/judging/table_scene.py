"""A competition of four rows that a custom metric scores, as far as judging knows of it."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.models import (
    Competition,
    CompetitionSecret,
    GroundTruthVersion,
    Judging,
    JudgingPause,
    MetricVersion,
    PrivateScore,
    PublicScore,
    PublishedIdList,
    Rejudging,
)
from podium.sandbox import Sandbox
from podium.sandbox.children import ChildSandbox
from podium.sandbox.custom_code import CustomMetrics
from podium.storage import Area
from podium.worker.holding import LeaseHolder
from podium.worker.judging import Judge
from tests.builders.judging.scene import START, Scene
from tests.builders.judging.table_tasks import TABLE_TASKS, TASKS
from tests.builders.rows import SPLIT_KEY, run_of
from tests.builders.sandbox.in_process import InProcess

SETTINGS: dict[str, Any] = {
    "task": "table",
    "table_columns": [{"name": "prediction"}],
    "objectives": {"prediction": "1"},
    "metric": {"name": "own"},
    "id_column": "id",
    "own_metric": {"version": 1, "seconds": 20},
}


class TableScene(Scene):
    """The scene with the settings, the metric and the parts of the solution that a run needs."""

    def __init__(
        self,
        application: Application,
        folder: Path,
        *,
        in_children: bool = False,
        custom_metrics: CustomMetrics = "on",
        sandbox: Sandbox | None = None,
        **settings: Any,
    ) -> None:
        sandbox = sandbox or InProcess(TASKS)
        if in_children:
            sandbox = ChildSandbox(tasks_module=TABLE_TASKS, custom_metrics=custom_metrics)
        super().__init__(replace(application, sandbox=sandbox))
        self._folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self.change(lambda session: self._prepare(session, SETTINGS | settings))

    def judge(self, judging_id: str, *, worker: str = "w1") -> Judging:
        """Has a worker do what is due, first in the lane of judgings and then in that of private
        runs; answers the judging then."""
        self.judge_public(judging_id, worker=worker)
        judge = Judge(LeaseHolder(self.application, worker, self.scratch))
        judge.judge(self.begin(judging_id), is_private=True)
        judge.wait()
        return self.row(judging_id)

    def judge_public(self, judging_id: str, *, worker: str = "w1") -> Judging:
        """Has a worker do what is due in the lane of judgings alone."""
        judge = Judge(LeaseHolder(self.application, worker, self.scratch))
        judge.judge(self.begin(judging_id))
        judge.wait()
        return self.row(judging_id)

    def judged(self, public: Any, private: Any = None, *, number: int = 1) -> Judging:
        """A submission whose metric says these, once a worker has had it."""
        return self.judge(self.submit_table(public, private, number=number))

    def submit_table(
        self, public: Any, private: Any = None, *, number: int = 1, is_dispatched: bool = False
    ) -> str:
        """Accepts a file that tells the metric what to say on each split."""
        told = {"public": public, "private": private or {"score": 0.25}, "number": number}
        return self.submit(json.dumps(told).encode(), number=number, is_dispatched=is_dispatched)

    def rejudge(self, judging_id: str, **settings: Any) -> str:
        """Begins to judge a submission anew under changed settings: the new judging's id."""

        def begin(session: WriteSession) -> str:
            old = session.get_one(Judging, judging_id)
            rejudging = Rejudging(
                competition_id=old.competition_id,
                ground_truth_version=1,
                reason="another metric",
                state="running",
                settings=settings,
                # It has all its judgings, and rounds give it no more.
                is_partial=True,
                created_at=START,
                created_by=session.query(Competition).one().created_by,
            )
            session.add(rejudging)
            session.flush()
            new = Judging(
                submission_id=old.submission_id,
                competition_id=old.competition_id,
                ground_truth_version=1,
                rejudging_id=rejudging.id,
                state="queued",
                created_at=START,
            )
            session.add(new)
            session.flush()
            session.add(run_of(new, dispatches=1))
            return new.id

        found: str = self.change(begin)
        return found

    def scores(self, judging_id: str) -> tuple[str | None, str | None]:
        """The exact scores of both splits, as far as there are any."""
        with self.application.database.read() as session:
            public = session.get(PublicScore, judging_id)
            private = session.get(PrivateScore, judging_id)
        return (
            None if public is None else str(public.score),
            None if private is None else str(private.score),
        )

    def lose_part(self, split: str) -> None:
        """Removes a part of the solution from the store."""
        self.application.storage.delete(Area.GROUND_TRUTH, sha256(split.encode()).hexdigest())

    def find_part(self, split: str) -> None:
        """Brings it back."""
        self._stored(Area.GROUND_TRUTH, split.encode())

    def end_wait(self) -> None:
        """Lets the time of a pause pass."""
        self.change(lambda session: session.query(JudgingPause).update({"retry_at": START}))

    def _prepare(self, session: WriteSession, settings: dict[str, Any]) -> None:
        competition = session.query(Competition).one()
        competition.settings = settings
        session.add(CompetitionSecret(competition_id=competition.id, split_key=SPLIT_KEY))
        truth = session.query(GroundTruthVersion).one()
        truth.parts = {
            split: self._stored(Area.GROUND_TRUTH, split.encode())
            for split in ("public", "private")
        }
        published = session.get_one(PublishedIdList, competition.id)
        published.sha256 = self._stored(Area.FILES, b"published")
        for version in (1, 2):
            session.add(
                MetricVersion(
                    competition_id=competition.id,
                    version=version,
                    status="stored",
                    file_name="metric.py",
                    sha256=self._stored(Area.METRICS, b"# %d" % version),
                    bytes=3,
                    created_at=START,
                    created_by=competition.created_by,
                )
            )

    def _stored(self, area: Area, content: bytes) -> str:
        return self.application.storage.add(area, self._written(content)).sha256

    def _written(self, content: bytes) -> Path:
        path = self._folder / "stored"
        path.write_bytes(content)
        return path
