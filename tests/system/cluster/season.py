"""A season on the cluster: teams that do not give up, one that cheats, and a killer of parts of the
installation all the while. What must come of it is worked out from the files."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar
from urllib.parse import urlsplit

import sqlalchemy as sa

from podium.client import Organizer, Podium
from podium.errors import Unavailable, WrongState
from tests.builders.cluster import Cluster
from tests.builders.storm.files import KINDS, SESSIONS, TRUTH, Truth, exact_scores, labels
from tests.builders.storm.storm import Address

SLUG = "season"
PATH = f"/api/v1/competitions/{SLUG}"
DAILY_LIMIT = 8
FINALS = 2
PUBLIC_FRACTION = Fraction(33, 100)
PATIENCE_SECONDS = 180.0

AGAIN = (409, 429, 500, 502, 503)
"""Statuses that a well-behaved client may get while parts are killed, and then tries again. 409:
its first attempt has ended, and the server has not noticed yet."""

PUT_RIGHT: Truth = TRUTH | {(session, "carts"): [4] for session in SESSIONS if session % 2}
"""The second ground truth: half of the carts were wrong."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Sent:
    """A file that was acknowledged: whose, what was in it, and the submission's id."""

    team: str
    content: bytes
    submission_id: str


@dataclass
class Season:
    """One competition on the cluster, its teams by name with their tokens, and what they sent."""

    cluster: Cluster
    teams: dict[str, str] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)

    def opens(self, teams: Sequence[str]) -> None:
        """Makes and launches the competition, and every team enters."""
        truth = self.cluster.folder / "season.jsonl"
        truth.write_bytes(labels())
        with Organizer(self.cluster.address, self.cluster.token) as organizer:
            settings = {"daily_limit": DAILY_LIMIT, "final_selections": FINALS}
            organizer.create_competition(SLUG, "A season", preset="otto", **settings)
            organizer.upload_ground_truth(SLUG, truth)
            organizer.launch(SLUG)
            for name in teams:
                self.teams[name] = organizer.create_user(f"{name}-of-{SLUG}")["token"]
        for name, token in self.teams.items():
            with Podium(self.cluster.address, token) as person:
                person.create_team(SLUG, name)

    def plays(self, team: str, files: Sequence[bytes]) -> None:
        """Sends files one by one, each until it is acknowledged, and waits for its verdict."""
        for number, content in enumerate(files):
            key = f"{team}-{len(self.sent)}-{number}-{len(content)}"
            status, answer = self._insists(lambda c=content, k=key: self.asks(team, c, k))  # type: ignore[misc]
            assert status == 202, answer
            self.sent.append(Sent(team, content, answer["id"]))
        for each in [one for one in self.sent if one.team == team]:
            with Podium(self.cluster.address, self.teams[team]) as person:
                ended = person.wait(each.submission_id, timeout=PATIENCE_SECONDS)
                assert ended["status"] == "scored", ended

    def all_play(self, files: dict[str, list[bytes]]) -> None:
        """Every team at once."""
        with ThreadPoolExecutor(len(files)) as together:
            list(together.map(lambda team: self.plays(team, files[team]), files))

    def asks(self, team: str, content: bytes, key: str) -> tuple[int, dict[str, Any]]:
        """One attempt to submit."""
        path = f"{PATH}/submissions?filename=file.csv"
        return Address(self.port).ask("POST", path, content, self.teams[team], Idempotency_Key=key)

    def _insists(self, ask: Callable[[], tuple[int, dict[str, Any]]]) -> tuple[int, dict[str, Any]]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                status, answer = ask()
            except OSError as broken:
                status, answer = 503, {"broken": str(broken)}
            if status not in AGAIN or time.monotonic() > deadline:
                return status, answer
            time.sleep(0.2)

    def decides(self, act: Callable[[Organizer], Answer]) -> Answer | None:
        """An act of the administrator, until it is done; None if an attempt whose answer was lost
        has done it already."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        attempts = 0
        while True:
            attempts += 1
            try:
                with Organizer(self.cluster.address, self.cluster.token) as organizer:
                    return act(organizer)
            except WrongState:
                if attempts == 1:
                    raise
                return None
            except Unavailable:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def described(self) -> str:
        """Its database and where its files are."""
        return "PostgreSQL, bucket"

    @property
    def port(self) -> int:
        """The port at which the proxy, or else a replica, listens."""
        port = urlsplit(self.cluster.address).port
        assert port
        return port

    def files_of(self, team: str) -> list[str]:
        """The submissions of a team that were acknowledged to it, oldest first."""
        return [each.submission_id for each in self.sent if each.team == team]

    def finds(self, team: str) -> None:
        """Takes for sent what the server has of a team, when every verdict is there: after a broken
        connection only the server knows."""
        with Podium(self.cluster.address, self.teams[team]) as person:
            for known in list(person.submissions(SLUG)):
                ended = person.wait(known["id"], timeout=PATIENCE_SECONDS)
                assert ended["status"] == "scored", ended
                to = self.cluster.folder / known["id"]
                person.download_submission(known["id"], to)
                self.sent.append(Sent(team, to.read_bytes(), known["id"]))

    def in_order(self) -> list[Sent]:
        """Everything that was sent, in the order that decides between equal scores."""
        rows = self._rows("SELECT id FROM submissions ORDER BY submitted_at, sequence")
        place = {row.id: number for number, row in enumerate(rows)}
        return sorted(self.sent, key=lambda each: place[each.submission_id])

    def split_key(self) -> str:
        """The secret by which sessions are public or private."""
        (row,) = self._rows(
            "SELECT split_key FROM competition_secrets JOIN competitions"
            f" ON competitions.id = competition_id WHERE slug = '{SLUG}'"
        )
        return str(row.split_key)

    def _rows(self, query: str) -> Sequence[sa.Row[Any]]:
        engine = sa.create_engine(self.cluster.database_url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            return connection.execute(sa.text(query)).all()

    def board(self, split: str = "public") -> dict[str, int]:
        """The board by team, in its order, in units of the last digit."""
        with Podium(self.cluster.address) as anonymous:
            rows = anonymous.leaderboard(SLUG, split=split)
            return {row["team"]["name"]: round(row["score"] * 10**5) for row in rows}


def guesses(chance: random.Random) -> bytes:
    """A file that is right in some sessions under the one ground truth, in some under the other."""
    lines = ["session_type,labels"]
    for session in SESSIONS:
        for kind in KINDS:
            items = [*TRUTH[session, kind], 1] if chance.random() < 0.5 else [4, 5]
            lines.append(f"{session}_{kind},{' '.join(map(str, items))}")
    return "\n".join(lines).encode() + b"\n"


def public_board(sent: Sequence[Sent], split_key: str, truth: Truth) -> dict[str, int]:
    """The best shown score of each team, of files in the order in which they were sent; of equal
    ones the earlier submission stands first."""
    return _ranked([(each.team, _shown(each, split_key, truth)) for each in sent])


def final_board(
    sent: Sequence[Sent], split_key: str, truth: Truth, selected: dict[str, list[str]]
) -> dict[str, int]:
    """The best private score of what counts for each team: what it selected, filled up with what
    stands best on its public side."""
    counted: list[Sent] = []
    for team in {each.team for each in sent}:
        own = sorted(
            (each for each in sent if each.team == team),
            key=lambda each: (
                each.submission_id not in selected.get(team, []),
                -_shown(each, split_key, truth),
            ),
        )
        counted += own[:FINALS]
    exact = [
        (each.team, _exact(each, split_key, truth)["private"]) for each in sent if each in counted
    ]
    return {team: round(score * 10**5) for team, score in _ranked(exact).items()}


def _ranked(rows: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    board: dict[str, Any] = {}
    for team, score in sorted(rows, key=lambda row: -row[1]):
        board.setdefault(team, score)
    return board


def _shown(each: Sent, split_key: str, truth: Truth) -> int:
    return round(_exact(each, split_key, truth)["public"] * 10**5)


def _exact(each: Sent, split_key: str, truth: Truth) -> dict[str, Fraction]:
    return exact_scores(each.content, split_key, PUBLIC_FRACTION, truth)


@contextmanager
def killing(cluster: Cluster, kills: int, chance: random.Random) -> Iterator[None]:
    """Kills so many parts, one after another, while the block runs, and starts each again; at its
    end all of them run."""
    thread = threading.Thread(target=_kill, args=(cluster, kills, chance))
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _kill(cluster: Cluster, kills: int, chance: random.Random) -> None:
    for _ in range(kills):
        name = chance.choice(["api-1", "api-2", "worker-1", "worker-2"])
        time.sleep(chance.uniform(0.1, 1.0))
        cluster.parts[name].kill()
        time.sleep(chance.uniform(0.0, 0.5))
        cluster.parts[name].start()
        if name.startswith("api"):
            cluster.wait_for(f"{cluster.addresses[int(name[-1]) - 1]}/healthz")
