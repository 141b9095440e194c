"""A rejudging goes on through kills of everything: each file is judged anew exactly as often as it
should be, rightly, and applying happens wholly or not at all."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.builders.storm.checker import PUBLIC_FRACTION
from tests.builders.storm.files import TRUTH, exact_scores, labels, storm_files
from tests.builders.storm.storm import Clients, Server, open_competition

SEED = 20261121
TEAMS = 3
FILES = 12
TIMES = 2

CORRECTED = {
    (session, kind): [4] if kind == "clicks" and session % 2 else items
    for (session, kind), items in TRUTH.items()
}
"""Every second session had a wrong click; item 4 is what every bad guess holds."""


@pytest.fixture
def server(tmp_path: Path, database_url: str) -> Iterator[Server]:
    server = Server(tmp_path, database_url)
    server.start()
    server.wait_until_ready()
    yield server
    if server.is_running():
        server.kill()


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("database_url", "kills"),
    [
        pytest.param("sqlite", 6, id="sqlite"),
        pytest.param("postgresql", 3, id="postgresql", marks=pytest.mark.postgres),
    ],
    indirect=["database_url"],
)
def test_a_rejudging_survives_kills_at_any_moment(
    server: Server, database_url: str, kills: int
) -> None:
    files = [file for file in storm_files(FILES, SEED) if file.status == "scored"]
    clients = Clients(server, open_competition(server, TEAMS), files, kills=0)
    clients.start()
    while not clients.are_done():
        time.sleep(0.05)
    assert clients.complaints == []
    path = "/api/v1/admin/competitions/otto"
    status, stored = server.ask("POST", f"{path}/ground-truth", labels(CORRECTED))
    assert (status, stored["version"]) == (201, 2)
    begun = _asked(server, f"{path}/rejudgings", times=TIMES)

    chance = random.Random(SEED)
    for _ in range(kills):
        server.wait_until_ready()
        time.sleep(chance.uniform(0.1, 1.5))
        server.kill()
        server.start()
    server.wait_until_ready()
    found = _ready(server, begun["id"])
    assert found["deterministic"] is True
    assert found["done"] == found["total"] == TIMES * len(files)

    # The kill may come before, in or after the transaction: asking again ends in the same state.
    _apply_and_kill(server, begun["id"])
    server.start()
    server.wait_until_ready()
    status, _ = server.ask("POST", f"/api/v1/admin/rejudgings/{begun['id']}/apply")
    assert status in (200, 409)
    server.stop()
    contents = {clients.acknowledged[file.key]: file.content for file in files}
    assert _violations(database_url, begun["id"], contents) == []


def _asked(server: Server, path: str, **members: Any) -> dict[str, Any]:
    body = json.dumps({"reason": "wrong clicks", "ground_truth_version": 2, **members}).encode()
    status, answer = server.ask("POST", path, body, Content_Type="application/json")
    assert status == 202, answer
    return answer


def _ready(server: Server, rejudging_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + 240
    while True:
        _, found = server.ask("GET", f"/api/v1/admin/rejudgings/{rejudging_id}")
        if found["status"] == "ready":
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.3)


def _apply_and_kill(server: Server, rejudging_id: str) -> None:
    def ask() -> None:
        try:
            server.ask("POST", f"/api/v1/admin/rejudgings/{rejudging_id}/apply")
        except OSError:
            # That is what the kill is for.
            return

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(random.Random(SEED).uniform(0.0, 0.05))
    server.kill()
    asking.join()


def _violations(database_url: str, rejudging_id: str, contents: dict[str, bytes]) -> list[str]:
    found: list[str] = []
    engine = sa.create_engine(database_url)
    with engine.connect() as connection:
        tables = sa.MetaData()
        tables.reflect(connection)
        rows = {
            name: connection.execute(tables.tables[name].select()).all()
            for name in ("judgings", "submissions", "public_scores", "private_scores", "standings")
        }
        key = connection.execute(sa.text("SELECT split_key FROM competition_secrets")).scalar_one()
        active = connection.execute(
            sa.text("SELECT active_ground_truth FROM competitions")
        ).scalar_one()
    engine.dispose()
    if active != 2:
        found.append(f"version {active} is active")
    scores = {
        name: {row.judging_id: Fraction(row.score) for row in rows[f"{name}_scores"]}
        for name in ("public", "private")
    }
    best: dict[str, Fraction] = {}
    for submission in rows["submissions"]:
        exact = exact_scores(contents[submission.id], key, PUBLIC_FRACTION, CORRECTED)
        anew = [
            row
            for row in rows["judgings"]
            if (row.submission_id, row.rejudging_id) == (submission.id, rejudging_id)
        ]
        if sorted(row.repeat for row in anew) != list(range(1, TIMES + 1)):
            found.append(f"{submission.id} has {len(anew)} new judgings")
        if submission.judging_id not in {row.id for row in anew if row.repeat == 1}:
            found.append(f"{submission.id} kept its old judging")
        found += [
            f"{submission.id} has a wrong {name} score"
            for row in anew
            for name in scores
            if (row.state, scores[name].get(row.id)) != ("scored", exact[name])
        ]
        team = submission.team_id
        best[team] = max(best.get(team, exact["public"]), exact["public"])
    shown = {row.team_id: row.shown for row in rows["standings"]}
    if shown != {team: round(score * 10**5) for team, score in best.items()}:
        found.append(f"the board shows {shown}")
    return found
