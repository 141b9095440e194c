"""Checks of the database after a run: nothing lost, nothing twice, no quota passed, every score the
one that its file was made for, and the board what follows from them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy import func, select

from benchmarks.load.clients import Sent
from benchmarks.load.season import DAILY_LIMIT, KINDS, SLUG
from podium.client import Podium
from podium.core.database.engine import Database
from podium.core.judging_states import State
from podium.core.models import Judging, PublicScore, QuotaSlot, Submission


@dataclass(frozen=True, slots=True)
class Drained:
    """Judgings without a verdict in the end, and the seconds that it took to get there."""

    waiting: int
    seconds: float


def drain(database: Database, *, seconds: float) -> Drained:
    """Waits until everything has a verdict, but no longer than so many seconds."""
    began = time.monotonic()
    while True:
        with database.read() as session:
            waiting = session.scalar(
                select(func.count())
                .select_from(Judging)
                .where(Judging.state.in_((State.QUEUED, State.RUNNING)))
            )
        took = time.monotonic() - began
        if not waiting or took > seconds:
            return Drained(waiting or 0, took)
        time.sleep(1)


def faults(database: Database, sent: Sequence[Sent], address: str) -> list[str]:
    """Everything that is not as it must be; empty when all is well."""
    with database.read() as session:
        scores = dict(
            session.execute(
                select(Submission.id, PublicScore.score).join(
                    PublicScore, PublicScore.judging_id == Submission.judging_id
                )
            ).all()
        )
        teams = {
            row.id: row.team_id
            for row in session.execute(select(Submission.id, Submission.team_id))
        }
        verdicts: Counter[str] = Counter(session.scalars(select(Judging.submission_id)))
        states = {
            row.submission_id: row.state
            for row in session.execute(select(Judging.submission_id, Judging.state))
        }
        slots = session.execute(
            select(QuotaSlot.team_id, QuotaSlot.day, func.count()).group_by(
                QuotaSlot.team_id, QuotaSlot.day
            )
        ).all()
    found = [
        f"acknowledged and not there: {each.submission_id}"
        for each in sent
        if each.submission_id and each.submission_id not in teams
    ]
    found += [f"{number} judgings of {one}" for one, number in verdicts.items() if number != 1]
    found += [f"{used} slots of {team} on {day}" for team, day, used in slots if used > DAILY_LIMIT]
    found += _wrong_verdicts(sent, states, scores)
    return found + _wrong_board(address, teams, scores)


def _wrong_verdicts(
    sent: Sequence[Sent], states: Mapping[str, str], scores: Mapping[str, Fraction]
) -> list[str]:
    found = []
    for each in sent:
        if each.submission_id is None:
            continue
        wanted = State.REJECTED if each.kind < 0 else State.SCORED
        state = states.get(each.submission_id)
        if state != wanted:
            found.append(f"{each.submission_id} is {state} instead of {wanted}")
        elif each.kind >= 0 and scores.get(each.submission_id) != KINDS[each.kind][1]:
            found.append(f"{each.submission_id} scored {scores.get(each.submission_id)}")
    return found


def _wrong_board(
    address: str, teams: Mapping[str, str], scores: Mapping[str, Fraction]
) -> list[str]:
    best: dict[str, Fraction] = {}
    for submission_id, score in scores.items():
        team_id = teams[submission_id]
        best[team_id] = max(score, best.get(team_id, Fraction(0)))
    with Podium(address) as anonymous:
        shown = {row["team"]["id"]: row["score"] for row in anonymous.leaderboard(SLUG)}
    found = [f"team {each} is missing on the board" for each in best if each not in shown]
    return found + [
        f"team {each} is shown {shown[each]} instead of {float(score)}"
        for each, score in best.items()
        if each in shown and abs(shown[each] - float(score)) > 0.000_006
    ]
