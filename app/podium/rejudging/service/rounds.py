"""The rounds that advance rejudgings, a portion at a time, in every worker.

New judgings are inserted in portions, each in a short transaction, and only a bounded number is
dispatched at a time, behind all uploads. All progress is in rows: whatever dies, the next round of
any worker continues from there.
"""

from __future__ import annotations

from dataclasses import dataclass

from podium.core import locks
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.judging_states import RejudgingState, State
from podium.core.models import Rejudging, Run
from podium.queue import Queue
from podium.rejudging.queries import rejudgings
from podium.submissions.service.dispatch import begin

PORTION = 500
"""Submissions whose new judgings one transaction inserts, within some hundredths of a second."""

PORTIONS_A_ROUND = 20

WINDOW = 64
"""Judgings of one rejudging that are dispatched at a time: enough to occupy all workers until the
next round."""

DISPATCHES_AT_ONCE = 16
"""Dispatches in one transaction: few, so that no upload waits long for its turn to write."""


@dataclass
class RejudgingRounds:
    """Inserts and dispatches the next judgings of every unfinished rejudging."""

    database: Database
    queue: Queue

    def round(self) -> int:
        """Inserts and dispatches judgings that are due; returns how many were dispatched."""
        if not rejudgings.IS_RUNNING.passes(self.database):
            return 0
        with self.database.read() as session:
            running = rejudgings.running_ids(session)
        dispatched = 0
        for rejudging_id in running:
            for _ in range(PORTIONS_A_ROUND):
                if not self._feed(rejudging_id):
                    break
            dispatched += self._dispatch(rejudging_id)
        return dispatched

    def _feed(self, rejudging_id: str) -> bool:
        with self.database.read() as session:
            rejudging = session.get_one(Rejudging, rejudging_id)
            last = rejudgings.last_sequence(session, competition_id=rejudging.competition_id)
            if rejudging.is_partial or last <= rejudging.fed_until:
                return False
        with self.database.write() as session:
            return feed(session, rejudging_id=rejudging_id)

    def _dispatch(self, rejudging_id: str) -> int:
        with self.database.read() as session:
            room = WINDOW - rejudgings.under_way(session, rejudging_id=rejudging_id)
            waiting = (
                rejudgings.not_dispatched(session, rejudging_id=rejudging_id, limit=room)
                if room > 0
                else []
            )
        dispatched = 0
        for start in range(0, len(waiting), DISPATCHES_AT_ONCE):
            with self.database.write() as session:
                for judging_id in waiting[start : start + DISPATCHES_AT_ONCE]:
                    dispatched += _dispatch_first(session, self.queue, judging_id)
        return dispatched


def feed(session: WriteSession, *, rejudging_id: str) -> bool:
    """Inserts the new judgings of the next portion of submissions; returns whether more may follow.

    Acceptances of uploads and this are serialized by the lock of the board, so that no sequence
    appears below one that was passed.
    """
    seen = session.get_one(Rejudging, rejudging_id)
    locks.lock_board(session, competition_id=seen.competition_id)
    rejudging = rejudgings.locked(session, rejudging_id=rejudging_id)
    if rejudging.state != RejudgingState.RUNNING:
        return False
    portion = rejudgings.to_judge(
        session,
        competition_id=rejudging.competition_id,
        after=rejudging.fed_until,
        limit=PORTION,
    )
    rejudgings.add_judgings(
        session,
        rejudging=rejudging,
        submission_ids=[submission_id for _, submission_id in portion],
        now=database_now(session),
    )
    has_all = len(portion) < PORTION
    rejudging.fed_until = (
        rejudgings.last_sequence(session, competition_id=rejudging.competition_id)
        if has_all
        else portion[-1][0]
    )
    return not has_all


def _dispatch_first(session: WriteSession, queue: Queue, judging_id: str) -> bool:
    judging = locks.locked_judging(session, judging_id=judging_id)
    if judging is None or State(judging.state) is not State.QUEUED:
        return False
    if session.get(Run, judging_id) is not None:
        return False
    begin(session, queue, judging)
    return True
