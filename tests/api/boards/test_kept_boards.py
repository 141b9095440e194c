"""Boards that are kept as bytes: never for the wrong eyes, and never older than they may be."""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from podium.core.database.engine import Database
from podium.core.locks import touch_board
from podium.core.models import Competition, Team
from podium.http.caching import FRESH_SECONDS, KEPT_SECONDS, Kept, ResponseCache
from tests.builders.boards import BOARD, enters
from tests.builders.rows import START
from tests.builders.uploads.changes import change
from tests.builders.uploads.server import random_name
from tests.builders.uploads.stage import Stage

PAGE = "/competitions/otto/leaderboard"


def page(stage: Stage, **options: Any) -> Any:
    return stage.server.client.get(PAGE, **options)


@pytest.fixture
def other_process(stage: Stage) -> Any:
    """The same database, written to behind the back of the server."""
    database = Database(stage.server.application.database.url)
    yield database
    database.close()


def test_a_name_that_changed_is_shown_at_once(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    assert "Ada" in stage.server.request("GET", BOARD).text
    assert "Ada" in page(stage).text
    with stage.server.application.database.write() as session:
        session.query(Team).filter_by(name="Ada").update({"name": "Countess"})
        touch_board(session, competition_id=stage.competition.id, now=START)
    for path in (BOARD, f"{BOARD}.csv"):
        assert "Countess" in stage.server.request("GET", path).text
    assert "Countess" in page(stage).text


def test_a_competition_that_became_private_is_hidden_at_once(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    for _ in range(2):
        assert stage.server.request("GET", BOARD).status_code == 200
        assert page(stage).status_code == 200
    change(stage, visibility="private")
    assert stage.server.request("GET", BOARD).status_code == 404
    assert page(stage).status_code == 404


def test_what_a_member_was_shown_is_not_kept_for_others(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    change(stage, visibility="private")
    for _ in range(2):
        assert stage.server.request("GET", BOARD, stage.token).status_code == 200
        assert stage.server.request("GET", BOARD).status_code == 404
        assert stage.server.request("GET", BOARD, stage.stranger_token).status_code == 404


def test_a_wrong_token_is_refused_also_where_the_board_is_kept(stage: Stage) -> None:
    assert stage.server.request("GET", BOARD).status_code == 200
    assert stage.server.request("GET", BOARD, "wrong").status_code == 401


def test_what_another_process_wrote_is_seen_within_the_promised_time(
    stage: Stage, other_process: Database
) -> None:
    enters(stage, "Ada", "0.5")
    assert "Ada" in stage.server.request("GET", BOARD).text
    with other_process.write() as session:
        session.query(Team).filter_by(name="Ada").update({"name": "Countess"})
        touch_board(session, competition_id=stage.competition.id, now=START)
    time.sleep(KEPT_SECONDS)
    assert "Countess" in stage.server.request("GET", BOARD).text


def test_a_kept_board_is_answered_without_the_database(
    stage: Stage, other_process: Database
) -> None:
    enters(stage, "Ada", "0.5")
    first = stage.server.request("GET", BOARD)
    with other_process.write() as session:
        session.get_one(Competition, stage.competition.id).visibility = "private"
    soon = stage.server.request("GET", BOARD)
    if soon.status_code == 200:
        # No writer said within this time that it changed: the same bytes, as another answer.
        assert soon.content == first.content
        assert soon.headers["x-request-id"] != first.headers["x-request-id"]
        assert soon.headers["content-security-policy"] == first.headers["content-security-policy"]
    time.sleep(KEPT_SECONDS)
    assert stage.server.request("GET", BOARD).status_code == 404


# The page of a signed-in user is theirs, and never a 304.
@pytest.mark.parametrize(("is_page", "token"), [(False, False), (False, True), (True, False)])
def test_an_unchanged_answer_is_a_304_whether_kept_or_not(
    stage: Stage, is_page: bool, token: bool
) -> None:
    enters(stage, "Ada", "0.5")
    path = PAGE if is_page else f"/api/v1{BOARD}"
    headers = {"Authorization": f"Bearer {stage.token}"} if token else {}
    tag = stage.server.client.get(path, headers=headers).headers["etag"]
    for _ in range(2):
        enters(stage, random_name(), "0.1")
        now = stage.server.client.get(path, headers=headers | {"If-None-Match": tag})
        assert now.status_code == 200
        tag = now.headers["etag"]
        for _ in range(3):
            same = stage.server.client.get(path, headers=headers | {"If-None-Match": f"x, {tag}"})
            assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
            assert "content-length" not in same.headers
            assert same.headers["cache-control"] == "no-cache"


def test_a_refused_request_empties_no_cached_board(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    database = stage.server.application.database
    assert stage.server.request("GET", BOARD).status_code == 200
    before = database.writes
    paths = stage.server.client.get("/openapi.json").json()["paths"]
    refused = 0
    for path, methods in paths.items():
        for method in methods.keys() - {"get", "head", "options"}:
            address = re.sub(r"\{\w+\}", "x", path)
            for token in (None, "wrong"):
                headers = {"Authorization": f"Bearer {token}"} if token else {}
                answer = stage.server.client.request(method, address, json={}, headers=headers)
                assert answer.status_code >= 400, (method, path)
                refused += 1
    own = {"Origin": f"http://127.0.0.1:{stage.server.port}"}
    for form in ({"token": "wrong"}, {"name": "nobody", "password": "wrong"}):
        assert stage.server.client.post("/sign-in", data=form, headers=own).status_code >= 400
    assert refused > 100
    assert database.writes == before
    # A request of a known user that is refused within its transaction changes nothing either.
    away = stage.server.request(
        "POST", "/competitions/otto/teams/join", stage.stranger_token, json={"invite_code": "x"}
    )
    assert away.status_code >= 400
    assert database.writes == before
    # Nor does an upload, of which boards show nothing before it is judged.
    assert stage.server.submit(stage.token).status_code == 202
    assert database.writes == before
    with database.write() as session:
        touch_board(session, competition_id=stage.competition.id, now=START)
    assert database.writes > before


def test_head_answers_what_get_would_without_the_body(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    for _ in range(2):
        whole = stage.server.request("GET", BOARD)
        head = stage.server.request("HEAD", BOARD)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == whole.headers["etag"]
        assert head.headers["content-length"] == whole.headers["content-length"]


def test_pages_keep_their_link_to_the_next_one(stage: Stage) -> None:
    for name in "abc":
        enters(stage, f"Team {name}", "0.5")
    links = [stage.server.request("GET", f"{BOARD}?limit=1").headers["link"] for _ in range(3)]
    assert links[0].endswith('rel="next"')
    assert len(set(links)) == 1


async def never_asked(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError("a kept answer comes from nowhere else")


def test_cached_responses_take_no_more_than_their_room(stage: Stage) -> None:
    database = stage.server.application.database
    answers = ResponseCache(never_asked, database=database, most_bytes=10_000)
    for number in range(20):
        scope = {"path": f"/{number}", "query_string": b"", "headers": []}
        answers.keep(scope, Kept([], bytes(1000), "x", 0, 0.0))
        answers.keep(scope, Kept([], bytes(500), "x", 0, 0.0))
    assert [path for path, *_ in answers._kept] == ["/17", "/18", "/19"]


class Counted:
    """An application whose answers, the same for everybody, are numbered; it may break."""

    def __init__(self, database: Database) -> None:
        self.made = 0
        self.now = 0.0
        self.status = 200
        self.cache = ResponseCache(self._answer, database=database, clock=lambda: self.now)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        scope["state"]["same_for_everybody"] = True
        # Making it takes longer than it stays fresh, as on a machine that has much else to do.
        await asyncio.sleep(0.05)
        if self.status == 0:
            raise RuntimeError("broken")
        self.made += 1
        headers = [(b"etag", b'W/"1"')]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"%d" % self.made})

    async def ask(self) -> bytes:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "headers": [],
            "state": {},
        }
        await self.cache(scope, None, send)  # type: ignore[arg-type]
        return bytes(sent[-1]["body"])

    async def ask_together(self) -> list[bytes]:
        return await asyncio.gather(*(self.ask() for _ in range(20)))


def test_where_many_ask_for_an_old_answer_one_makes_it_and_all_get_it(stage: Stage) -> None:
    database = stage.server.application.database
    answers = Counted(database)

    async def story() -> None:
        assert await answers.ask() == b"1"
        assert await answers.ask() == b"1"
        answers.now += KEPT_SECONDS
        assert await answers.ask_together() == [b"2"] * 20
        with database.write():
            pass
        assert await answers.ask_together() == [b"3"] * 20

    asyncio.run(story())


def test_an_answer_that_is_no_longer_fresh_is_given_while_one_makes_it_anew(stage: Stage) -> None:
    answers = Counted(stage.server.application.database)

    async def story() -> None:
        assert await answers.ask() == b"1"
        answers.now += FRESH_SECONDS
        assert await answers.ask_together() == [b"1"] * 20
        await asyncio.sleep(0.2)
        assert answers.made == 2
        assert await answers.ask_together() == [b"2"] * 20

    asyncio.run(story())


def test_a_minor_write_leaves_a_cached_answer_where_it_is(stage: Stage) -> None:
    database = stage.server.application.database
    answers = Counted(database)

    async def story() -> None:
        assert await answers.ask() == b"1"
        with database.write(is_minor=True):
            pass
        assert await answers.ask() == b"1"

    asyncio.run(story())


@pytest.mark.parametrize("status", [404, 0])
def test_an_answer_that_cannot_be_made_anew_is_given_no_more(stage: Stage, status: int) -> None:
    answers = Counted(stage.server.application.database)

    async def story() -> None:
        assert await answers.ask() == b"1"
        answers.status = status
        answers.now += FRESH_SECONDS
        assert await answers.ask() == b"1"
        await asyncio.sleep(0.2)
        if status:
            assert await answers.ask() == b"3"
        else:
            with pytest.raises(RuntimeError):
                await answers.ask()

    asyncio.run(story())
