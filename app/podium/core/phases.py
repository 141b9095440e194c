"""The life of a competition: its phase at a moment, and what each phase allows.

All intervals are half-open: a submission at exactly `ends_at` is too late.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Phase(StrEnum):
    """The phase of a competition."""

    DRAFT = "draft"
    UPCOMING = "upcoming"
    OPEN = "open"
    FROZEN = "frozen"
    CLOSED = "closed"
    REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class Dates:
    """The moments that decide the phase; all aware, in UTC."""

    starts_at: datetime | None = None
    ends_at: datetime | None = None
    launched_at: datetime | None = None
    frozen_at: datetime | None = None
    closed_at: datetime | None = None
    revealed_at: datetime | None = None


def phase_at(dates: Dates, now: datetime) -> Phase:
    """Computes the phase at `now`: organizers' actions take precedence over the calendar."""
    if dates.launched_at is None:
        return Phase.DRAFT
    if dates.revealed_at is not None:
        return Phase.REVEALED
    if dates.closed_at is not None or (dates.ends_at is not None and now >= dates.ends_at):
        return Phase.CLOSED
    if dates.starts_at is not None and now < dates.starts_at:
        return Phase.UPCOMING
    return Phase.OPEN if dates.frozen_at is None else Phase.FROZEN


def takes_submissions(phase: Phase) -> bool:
    """True while uploads are accepted, also while the board is frozen."""
    return phase in (Phase.OPEN, Phase.FROZEN)


def takes_late_submissions(phase: Phase) -> bool:
    """True after the close, also after the reveal; the organizer may still forbid late
    submissions."""
    return phase in (Phase.CLOSED, Phase.REVEALED)


def can_unfreeze(dates: Dates, phase: Phase) -> bool:
    """True for a freeze that can be lifted: it lasts through a close and a reopening; only the
    reveal ends it for good."""
    return dates.frozen_at is not None and phase in (Phase.FROZEN, Phase.CLOSED)


def takes_teams(phase: Phase) -> bool:
    """True from the launch until the close."""
    return phase in (Phase.UPCOMING, Phase.OPEN, Phase.FROZEN)


def takes_selections(phase: Phase) -> bool:
    """True until the close, for the selection of final submissions."""
    return phase in (Phase.OPEN, Phase.FROZEN)
