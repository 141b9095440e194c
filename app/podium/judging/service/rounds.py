"""The reconciler of judgings: unattended ones are dispatched again."""

from __future__ import annotations

from collections.abc import Sequence

from podium.core import locks
from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.judging_states import State
from podium.core.leases import is_held
from podium.core.lookups import waiting_teams
from podium.judging import queries
from podium.logs import get_logger
from podium.queue.reconciler import Rounds, Unattended
from podium.submissions.service.dispatch import dispatch

_log = get_logger("judging")


class Reconciler(Rounds):
    """Looks for judgings without a verdict and without a lease."""

    def find(self, session: ReadSession, *, after: str, limit: int) -> Sequence[Unattended]:
        """Those without a verdict and without a lease."""
        return queries.unattended(
            session,
            now=database_now(session),
            after=after,
            limit=limit,
            waiting=waiting_teams(session),
        )

    def dispatch_again(self, session: WriteSession, seen: Unattended) -> bool:
        """Dispatches a judging again."""
        judging = locks.locked_judging(session, judging_id=seen.id)
        if (
            judging is None
            or (State(judging.state).is_final and not judging.is_private_due)
            or judging.dispatches != seen.dispatches
        ):
            return False
        if is_held(judging.lease_until, now=database_now(session)):
            return False
        dispatch(session, queue=self.queue, judging=judging)
        _log.info("judging.redispatched", judging=judging.id, dispatch=judging.dispatches)
        return True
