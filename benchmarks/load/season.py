"""The competition of the load run: three thousand teams that have a score each, their tokens, and
small files whose exact scores are known beforehand."""

from __future__ import annotations

import itertools
import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from podium.accounts.service.accounts import sha256_of
from podium.client import Organizer
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.database.types import new_id
from podium.core.models import (
    AccessToken,
    Competition,
    Judging,
    Membership,
    PrivateScore,
    PublicScore,
    Submission,
    Team,
    User,
)
from podium.standings.service import standings

SLUG = "otto"
DAILY_LIMIT = 5
SESSIONS = {1: "Public", 2: "Public", 3: "Private", 4: "Private"}
LABELS = {"clicks": "3", "carts": "2 3", "orders": "4"}

WEIGHTS = {"clicks": Fraction(1, 10), "carts": Fraction(3, 10), "orders": Fraction(6, 10)}
"""The weights of OTTO's metric. One of two public sessions is predicted at most, hence the half in
`KINDS`."""

KINDS: tuple[tuple[tuple[str, ...], Fraction], ...] = tuple(
    (right, sum((WEIGHTS[name] for name in right), Fraction(0)) / 2)
    for size in range(len(LABELS) + 1)
    for right in itertools.combinations(LABELS, size)
)
"""The objectives of session 1 that a file of each kind has right, and its public score."""

ROWS_AT_A_TIME = 1_000


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team with the token of its one member."""

    team_id: str
    token: str


def open_competition(address: str, token: str, folder: Path) -> None:
    """Makes and launches the competition over HTTP."""
    rows = [
        f"{session}_{objective},{labels},{usage}\n"
        for session, usage in SESSIONS.items()
        for objective, labels in LABELS.items()
    ]
    truth = folder / "truth.csv"
    truth.write_text("session_type,labels,Usage\n" + "".join(rows))
    with Organizer(address, token) as organizer:
        organizer.create_competition(
            SLUG, "OTTO", preset="otto", split="usage", daily_limit=DAILY_LIMIT
        )
        organizer.upload_ground_truth(SLUG, truth)
        organizer.launch(SLUG)


def file_of(kind: int, number: int) -> bytes:
    """A file of one of the `KINDS`; `number` makes its bytes differ from those of all others."""
    right, _ = KINDS[kind]
    rows = [
        f"{session}_{objective},"
        f"{LABELS[objective] if session == 1 and objective in right else 1_000_000 + number}\n"
        for session in SESSIONS
        for objective in LABELS
    ]
    return ("session_type,labels\n" + "".join(rows)).encode()


def enter_teams(database: Database, count: int) -> list[Entrant]:
    """Writes so many teams of one, each with a scored file of last week."""
    draw = random.Random(42)
    with database.write() as session:
        competition = session.scalars(select(Competition).where(Competition.slug == SLUG)).one()
        at = database_now(session) - timedelta(days=7)
        entrants, rows = [], _Rows()
        for number in range(count):
            team_id, user_id, token = new_id(), new_id(), secrets.token_urlsafe(32)
            entrants.append(Entrant(team_id, token))
            rows.add_team(competition.id, team_id, user_id, token, number, at)
            rows.add_scored(competition.id, team_id, user_id, draw.randrange(100), at)
        rows.insert(session)
        standings.recompute_public_board(session, competition=competition)
    return entrants


class _Rows:
    """The rows to be written, table by table."""

    def __init__(self) -> None:
        self._tables: dict[Any, list[dict[str, Any]]] = {
            table: []
            for table in (
                User,
                AccessToken,
                Team,
                Membership,
                Submission,
                Judging,
                PublicScore,
                PrivateScore,
            )
        }

    def add_team(
        self, competition_id: str, team_id: str, user_id: str, token: str, number: int, at: datetime
    ) -> None:
        name = f"team-{number}"
        person = {"id": user_id, "name": name, "name_key": name, "created_at": at}
        self._tables[User].append(person)
        self._tables[AccessToken].append(
            {"user_id": user_id, "label": "load", "sha256": sha256_of(token), "created_at": at}
        )
        self._tables[Team].append(
            {
                "id": team_id,
                "competition_id": competition_id,
                "name": name,
                "name_key": name,
                "invite_code": new_id(),
                "tags": [],
                "created_at": at,
            }
        )
        self._tables[Membership].append(
            {
                "competition_id": competition_id,
                "user_id": user_id,
                "team_id": team_id,
                "joined_at": at,
            }
        )

    def add_scored(
        self, competition_id: str, team_id: str, user_id: str, hundredths: int, at: datetime
    ) -> None:
        submission_id, judging_id = new_id(), new_id()
        self._tables[Submission].append(
            {
                "id": submission_id,
                "competition_id": competition_id,
                "team_id": team_id,
                "user_id": user_id,
                "filename": "last-week.csv",
                "bytes": 1,
                "sha256": submission_id.replace("-", "").ljust(64, "0"),
                "submitted_at": at,
                # There is only the row of it.
                "file_removed_at": at,
                "judging_id": judging_id,
            }
        )
        self._tables[Judging].append(
            {
                "id": judging_id,
                "submission_id": submission_id,
                "competition_id": competition_id,
                "ground_truth_version": 1,
                "state": "scored",
                "priority": 1,
                "created_at": at,
                "judged_at": at,
            }
        )
        # Below what most files of the load score, so that the board has to change.
        score = {"judging_id": judging_id, "score": Fraction(hundredths, 1000), "objectives": {}}
        self._tables[PublicScore].append(score)
        self._tables[PrivateScore].append(score)

    def insert(self, session: WriteSession) -> None:
        for table, rows in self._tables.items():
            for part in _parts(rows):
                session.execute(insert(table), part)


def _parts(rows: Sequence[dict[str, Any]]) -> list[Sequence[dict[str, Any]]]:
    return [rows[at : at + ROWS_AT_A_TIME] for at in range(0, len(rows), ROWS_AT_A_TIME)]
