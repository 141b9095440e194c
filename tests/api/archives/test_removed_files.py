"""Files of old seasons that were removed: what is told, and what moves to another installation."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select

from podium.core.database.engine import database_now
from podium.core.models import Competition, Submission
from podium.submissions.service.retention import Tidied, drop_old_files, tidy
from tests.builders.archives.season import Season, boards_of, exported, members_of, restored
from tests.builders.installation import Installation, problem_of


def test_a_season_whose_files_were_removed_tells_so_and_moves_with_what_is_left(
    moving: tuple[Season, Installation],
) -> None:
    season, there = moving
    season.reveal()
    before = boards_of(season.installation)
    removed = _remove_old_files(season)
    assert 0 < len(removed) < 6
    for submission_id in removed:
        answer = season.installation.admin.get(f"/submissions/{submission_id}/file")
        problem_of(answer, 410, "file-removed")
        assert season.installation.admin.get(f"/submissions/{submission_id}").status_code == 200
    assert boards_of(season.installation) == before

    archive = exported(season.installation.admin, "?full=true")
    kept = [name for name in members_of(archive) if name.startswith("files/submissions/")]
    assert len(kept) == 6 - len(removed)
    assert restored(there, archive).status_code == 201
    assert boards_of(there) == before
    with there.application.database.read() as session:
        rows = session.scalars(select(Submission)).all()
        gone = [row for row in rows if row.file_removed_at is not None]
        assert len(gone) == len(removed)
        for row in gone:
            problem_of(there.admin.get(f"/submissions/{row.id}/file"), 410, "file-removed")
        for row in set(rows) - set(gone):
            assert there.admin.get(f"/submissions/{row.id}/file").status_code == 200


def _remove_old_files(season: Season) -> list[str]:
    """Lets the season be a month old and the sweeper come twice; the submissions without files."""
    application = season.installation.application
    with application.database.write() as session:
        competition = session.scalars(select(Competition)).one()
        competition.revealed_at = database_now(session) - timedelta(days=31)
        session.flush()
        dropped = drop_old_files(session, keep_days=30)
        rows = session.scalars(select(Submission).where(Submission.file_removed_at.is_not(None)))
        removed = [row.id for row in rows]
    for _ in range(2):
        found = tidy(
            application.database, application.storage, unnamed_seconds=-5, aside_seconds=-5
        )
    assert found == Tidied(set_aside=0, put_back=0, removed=dropped)
    return removed
