"""Changes of competitions and submissions behind the server's back, for short tests."""

from __future__ import annotations

from typing import Any

from podium.core.models import Competition, Judging, Run
from tests.builders.rows import add_scored
from tests.builders.uploads.stage import Stage


def scored(stage: Stage, public: str = "0.1234567", private: str = "0.7654321") -> str:
    with stage.server.application.database.write() as session:
        return add_scored(session, stage.team, public=public, private=private)


def look(stage: Stage, submission_id: str, token: str | None) -> Any:
    return stage.server.request("GET", f"/submissions/{submission_id}", token)


def change(stage: Stage, **members: Any) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        for name, value in members.items():
            setattr(competition, name, value)


def judge(
    stage: Stage, submission_id: str, *, progress: float | None = None, **members: Any
) -> None:
    values: dict[Any, Any] = members
    with stage.server.application.database.write() as session:
        judging = session.query(Judging).filter_by(submission_id=submission_id)
        judging.update(values)
        if progress is not None:
            session.get_one(Run, judging.one().id).progress = progress
