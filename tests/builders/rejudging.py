"""A launched competition with two versions of its ground truth, teams with scored submissions, and
verdicts written where a worker would write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from podium.boards.service import views
from podium.core.access import Actor
from podium.core.database.engine import Database, ReadSession, WriteSession, database_now
from podium.core.judging_states import State
from podium.core.models import (
    Competition,
    GroundTruthVersion,
    Judging,
    PrivateScore,
    PublicScore,
    Rejudging,
    Submission,
    Team,
)
from podium.rejudging.service import application, rejudgings, rounds
from podium.rejudging.service import views as views_service
from podium.rejudging.service.views import RejudgingView
from tests.builders.rows import START, add_competition, add_scored, add_team, add_user

Verdicts = Mapping[str, tuple[str, str] | State]
"""By submission: (public, private), or the state in which it ends instead."""

_Found = TypeVar("_Found")


class Stage:
    """The competition `otto` with an organizer and the teams Ada and Bob."""

    def __init__(self, database: Database, **members: Any) -> None:
        self.database = database
        with database.write() as session:
            competition = add_competition(session, **members)
            self.competition_id = competition.id
            self.organizer = add_user(session, is_administrator=True)
            self.stranger = add_user(session)
            self.teams: dict[str, Team] = {}
            for name in ("Ada", "Bob"):
                self.teams[name], _ = add_team(session, competition, name)
            for version in (1, 2):
                session.add(_truth(competition, version, self.organizer))

    def write(self, act: Callable[[WriteSession], Any]) -> Any:
        """One write transaction."""
        with self.database.write() as session:
            return act(session)

    def read(self, act: Callable[[ReadSession], _Found]) -> _Found:
        """One read transaction."""
        with self.database.read() as session:
            return act(session)

    def scored(self, team: str, public: str, private: str = "0.1", **members: Any) -> str:
        """A judged submission of a team: its id."""
        return str(
            self.write(
                lambda session: add_scored(
                    session, self.teams[team], public=public, private=private, **members
                )
            )
        )

    def start(self, **given: Any) -> str:
        """A new rejudging's id."""
        given = {"reason": "a wrong label", "ground_truth_version": 2, **given}
        return str(
            self.write(
                lambda session: (
                    rejudgings.start(session, actor=self.organizer, slug="otto", **given).id
                )
            )
        )

    def feed(self, rejudging_id: str) -> None:
        """Gives all submissions their new judgings."""
        while self.write(lambda s: rounds.feed(s, rejudging_id=rejudging_id)):
            pass

    def judge(self, rejudging_id: str, verdicts: Verdicts, *, repeat: int | None = None) -> None:
        """Ends new judgings, as workers would."""
        with self.database.write() as session:
            for judging in session.query(Judging).filter_by(rejudging_id=rejudging_id):
                verdict = verdicts.get(judging.submission_id)
                if verdict is not None and repeat in (None, judging.repeat):
                    _end(session, judging, verdict)

    def look(self, rejudging_id: str, *, offset: int = 0, limit: int = 100) -> RejudgingView:
        """The rejudging as an organizer sees it."""
        with self.database.read() as session:
            row, competition = rejudgings.find(
                session, actor=self.organizer, rejudging_id=rejudging_id
            )
            return views_service.present(
                session, row=row, competition=competition, offset=offset, limit=limit
            )

    def apply(self, rejudging_id: str) -> None:
        """Publishes it."""
        self.write(
            lambda session: application.apply(
                session, actor=self.organizer, rejudging_id=rejudging_id
            )
        )

    def done(self, verdicts: Verdicts, **given: Any) -> str:
        """A rejudging in which everything is judged."""
        rejudging_id = self.start(**given)
        self.feed(rejudging_id)
        self.judge(rejudging_id, verdicts)
        return rejudging_id

    def board(self, split: Any = "public") -> list[tuple[int | None, str, str]]:
        """Rank, team and score of every row."""
        with self.database.read() as session:
            competition = session.get_one(Competition, self.competition_id)
            rows = views.board_rows(
                session, competition=competition, board=split, limit=None, offset=0
            )
            return [(r.rank, r.team.name, str(r.score)) for r in rows]

    def competition(self) -> Competition:
        """The competition as it is now."""
        return self.read(lambda session: session.get_one(Competition, self.competition_id))

    def submission(self, submission_id: str) -> tuple[Submission, Judging]:
        """A submission with its effective judging."""
        with self.database.read() as session:
            found = session.query(Submission).filter_by(id=submission_id).one()
            return found, session.get_one(Judging, found.judging_id)

    def row(self, rejudging_id: str) -> Rejudging:
        """The stored rejudging."""
        return self.read(lambda session: session.get_one(Rejudging, rejudging_id))


def _truth(competition: Competition, version: int, organizer: Actor) -> GroundTruthVersion:
    return GroundTruthVersion(
        competition_id=competition.id,
        version=version,
        status="stored",
        upload_sha256=str(version) * 64,
        upload_bytes=1,
        sha256=str(version) * 64,
        created_at=START,
        created_by=organizer.user_id,
    )


def _end(session: WriteSession, judging: Judging, verdict: tuple[str, str] | State) -> None:
    judging.judged_at = database_now(session)
    if isinstance(verdict, State):
        judging.state = verdict
        judging.problem = {"code": "missing-ids"} if verdict is State.REJECTED else None
        return
    judging.state = State.SCORED
    for table, score in ((PublicScore, verdict[0]), (PrivateScore, verdict[1])):
        integers = {"hits": 1, "denominator": 2, "queries": 2, "value": score}
        session.add(
            table(judging_id=judging.id, score=Fraction(score), objectives={"clicks": integers})
        )
