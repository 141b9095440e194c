"""Accounts, deadlines and verdicts, shared by competitions of the demo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.outcome import complain
from podium.client import Podium

if TYPE_CHECKING:
    from podium.client import Organizer

Submission = Mapping[str, Any]
"""The document of a submission."""

NEWCOMER = "Test drive"
"""The team of the participant whose token is printed."""

DAYS_OPEN = 28
"""Days from the creation of the demo to the close of its running competitions."""


def deadline() -> str:
    """Returns the end of a running competition."""
    now = datetime.now(UTC).replace(microsecond=0, second=0, minute=0)
    return (now + timedelta(days=DAYS_OPEN)).isoformat()


def account(organizer: Organizer, address: str, team: str) -> Podium:
    """Creates an account; returns a client for it."""
    return Podium(address, organizer.create_user(f"{team} bot")["token"])


def submit_as(
    organizer: Organizer, address: str, slug: str, files: Mapping[str, tuple[Path, str]]
) -> list[Submission]:
    """Creates a team for each file, which comes with its note, and submits it."""
    sent: list[Submission] = []
    for team, (file, note) in files.items():
        complain(f"Submitting for “{team}” …")
        with account(organizer, address, team) as participant:
            participant.create_team(slug, team, accept_rules=True)
            sent.append(participant.submit(slug, file, note=note))
    return sent


def wait_for_verdicts(organizer: Organizer, sent: Sequence[Submission]) -> None:
    """Waits for the verdicts; meanwhile the next files are prepared and submitted."""
    for submission in sent:
        organizer.wait(submission["id"], timeout=120)
