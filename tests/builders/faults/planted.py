"""Bugs that are put into a process of the test installation, so that a harness can find them.

Each replaces a function of the real code in that process; no setting of the product does this.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import sqlalchemy as sa

from podium.core import leases, locks
from podium.core.database.engine import database_now
from podium.core.leases import LeaseState, WorkState
from podium.core.models import Membership, QuotaSlot, Team, Upload
from podium.storage import Stored, local
from podium.submissions import rules as submission_rules
from podium.submissions.queries import uploads as upload_queries
from podium.submissions.routes import admission as admission_routes
from podium.submissions.routes import intake, upload_pieces
from podium.submissions.service import idempotency, submissions, uploads
from podium.submissions.service.composing import SALT_BYTES


def plant(name: str) -> None:
    """Changes this process. Raises `KeyError` for a name that there is not."""
    BUGS[name]()


def row_before_file() -> None:
    """The row is committed first, and only then the file gets its name."""
    waiting: dict[str, Any] = {}
    settle = admission_routes.settle

    async def finished(writer: Any) -> Stored:
        writer.descriptor()
        waiting[writer.sha256] = writer
        return Stored(writer.sha256, writer.size)

    def settled(actor: Any, admission: Any, held: Any, stored: Stored, *rest: Any) -> Any:
        answer = settle(actor, admission, held, stored, *rest)
        waiting.pop(stored.sha256).finish()
        return answer

    _replace(intake, "finished", finished)
    _replace(admission_routes, "settle", settled)


def piece_row_before_file() -> None:
    """The same for the pieces of a resumable upload."""

    def keep(appending: Any) -> None:
        writer, appending._writer = appending._writer, None
        if writer is None:
            return
        writer.descriptor()
        size = writer.size - SALT_BYTES
        with appending._app.database.write() as session:
            uploads.append(
                session,
                lease=appending._lease,
                start=appending._kept,
                size=size,
                sha256=writer.sha256,
                limits=appending._limits,
            )
        appending._kept += size
        writer.finish()

    _replace(upload_pieces._Appending, "_keep", keep)


def ignored_rename() -> None:
    """A file that cannot get its name is taken for stored."""
    take_place = local.LocalWriter._take_place

    def taken(*given: Any) -> None:
        with suppress(OSError):
            take_place(*given)

    _replace(local.LocalWriter, "_take_place", taken)


def sweeps_all_uploads() -> None:
    """Sweeps without a check that an upload has ended."""

    def all_of_them(session: Any, *, now: Any, limit: int) -> Any:
        return session.scalars(sa.select(Upload.id)).all()

    _replace(upload_queries, "ended", all_of_them)


def count_then_insert() -> None:
    """Slots are counted without a lock, and nothing but the count says how many there may be."""

    def any_number(taken: Any, limit: int | None) -> int | None:
        # The unique key of (team, day, number) does not help where numbers do not repeat.
        full = limit is not None and len(taken) >= limit
        # The others count meanwhile, as they would on a server that is busier than this one.
        time.sleep(0.5)
        return None if full else random.SystemRandom().randrange(1 << 30)

    _replace(locks, "lock_person", lambda session, *, user_id: None)
    _replace(locks, "locked_team", lambda session, *, team_id: session.get(Team, team_id))
    _replace(submission_rules, "free_number", any_number)


def keeps_lapsed_slots() -> None:
    """An upload that lost its slot takes another one, whatever the team's limit is."""
    held = submissions._held_slot

    def any_slot(session: Any, slot_id: str) -> Any:
        if session.get(QuotaSlot, slot_id) is None:
            now = database_now(session)
            member = session.scalars(sa.select(Membership)).first()
            number = random.SystemRandom().randrange(1 << 30)
            owner = {"team_id": member.team_id, "user_id": member.user_id}
            day = {"day": submission_rules.day_of(now), "number": number, "reserved_at": now}
            session.add(QuotaSlot(id=slot_id, lapses_at=now, **owner, **day))
            session.flush()
        return held(session, slot_id)

    _replace(submissions, "_held_slot", any_slot)
    # The key has lapsed with the slot.
    _replace(idempotency, "settle", lambda session, **_: None)


def missing_fence() -> None:
    """Lets a worker write its verdict whatever became of the lease."""

    def held(session: Any, lease: Any) -> Any:
        row = locks.locked_row(session, lease.rows, lease.row_id)
        return None if row is None or row.state != WorkState.RUNNING else row

    _replace(leases, "held", held)
    _replace(leases, "renew", lambda session, lease, **_: LeaseState.OURS)


def _replace(where: Any, name: str, function: Callable[..., Any]) -> None:
    assert hasattr(where, name), f"{where.__name__} has no {name} to replace"
    setattr(where, name, function)


BUGS: dict[str, Callable[[], None]] = {
    "row-before-file": row_before_file,
    "piece-row-before-file": piece_row_before_file,
    "ignored-rename": ignored_rename,
    "sweeps-all-uploads": sweeps_all_uploads,
    "count-then-insert": count_then_insert,
    "keeps-lapsed-slots": keeps_lapsed_slots,
    "missing-fence": missing_fence,
}
