"""Questions about how boards were. What a submission counts is asked of `standings`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from podium.db.models import Judging, Submission


def judged_later(session: Session, *, competition_id: str, until: datetime) -> set[str]:
    """Ids of the submissions of before `until` whose first verdict came then or after it.

    Judgings of a rejudging are no first verdicts: what they changed counts for all times.
    """
    first = func.min(Judging.judged_at)
    query = (
        select(Judging.submission_id)
        .join(Submission, Submission.id == Judging.submission_id)
        .where(
            Judging.competition_id == competition_id,
            Judging.rejudging_id.is_(None),
            Submission.submitted_at < until,
        )
        .group_by(Judging.submission_id)
        .having(first >= until)
    )
    return set(session.scalars(query))
