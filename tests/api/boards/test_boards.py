"""The leaderboard over HTTP: its document, its CSV, its versions."""

from __future__ import annotations

import csv
import io
from socket import IPPROTO_TCP, TCP_NODELAY

import pytest

from podium.boards.caching import ENTRY_BYTES, Rendered, RenderedBoards
from podium.core.models import Competition
from podium.standings.service import standings
from tests.builders.boards import BOARD, enters
from tests.builders.rows import START
from tests.builders.uploads.stage import Stage


def reveal(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.closed_at = competition.revealed_at = START
        standings.write_private_board(session, competition=competition)


def test_the_board_is_open_to_everybody_and_says_what_the_contract_says(stage: Stage) -> None:
    first = enters(stage, "Ada", "0.571234", 3)
    enters(stage, "Bob", "1/3", 1)
    document = stage.server.request("GET", BOARD).json()
    row = document["rows"][0]
    assert row | {"team": row["team"]["name"]} == {
        "rank": 1,
        "place": 1,
        "team": "Ada",
        "members": row["members"],
        "score": 0.57123,
        "submission_id": first,
        "submissions": 1,
        "submitted_at": "2026-01-01T00:03:00Z",
        "last_submitted_at": "2026-01-01T00:03:00Z",
        "tags": [],
        "rank_change": None,
        "public_rank": None,
        "standard_error": None,
        "interval": None,
        "tied_with_first": None,
    }
    assert [(row["rank"], row["score"]) for row in document["rows"]] == [(1, 0.57123), (2, 0.33333)]
    assert document["competition"] == "otto"
    assert document["split"] == "public"
    assert document["metric"]["id"] == "recall_capped@20"
    assert document["next_cursor"] is None


def test_an_empty_board_is_a_board(stage: Stage) -> None:
    assert stage.server.request("GET", BOARD).json()["rows"] == []


def test_pages_follow_each_other_and_end(stage: Stage) -> None:
    for place in range(5):
        enters(stage, f"Team {'abcde'[place]}", f"0.{9 - place}", place)
    seen, path = [], f"{BOARD}?limit=2"
    while path:
        answer = stage.server.request("GET", path)
        seen += [(row["rank"], row["team"]["name"]) for row in answer.json()["rows"]]
        cursor = answer.json()["next_cursor"]
        assert ('rel="next"' in answer.headers.get("link", "")) == (cursor is not None)
        path = f"{BOARD}?limit=2&cursor={cursor}" if cursor else ""
    assert seen == [(n + 1, f"Team {'abcde'[n]}") for n in range(5)]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("limit=0", 422),
        ("limit=1000000000", 422),
        ("cursor=xyz", 422),
        ("cursor=WzEwMDAwMDAwMDBd", 200),
        ("cursor=WzkyMjMzNzIwMzY4NTQ3NzU4MDdd", 200),
        ("cursor=Wy01XQ", 200),
        ("split=secret", 422),
        ("split=private", 404),
    ],
)
def test_strange_questions_get_plain_answers(stage: Stage, query: str, status: int) -> None:
    assert stage.server.request("GET", f"{BOARD}?{query}").status_code == status


def test_an_unchanged_board_is_not_sent_again(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    first = stage.server.request("GET", BOARD)
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    again = stage.server.request("GET", BOARD, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    enters(stage, "Bob", "0.4", 1)
    changed = stage.server.request("GET", BOARD, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag
    assert changed.json()["version"] != first.json()["version"]


def test_pages_and_formats_have_tags_of_their_own(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    paths = (BOARD, f"{BOARD}?limit=1", f"{BOARD}.csv", f"{BOARD}?limit=1&cursor=WzFd")
    tags = {stage.server.request("GET", path).headers["etag"] for path in paths}
    assert len(tags) == 4


def test_the_csv_is_rfc_4180_and_safe_in_a_spreadsheet(stage: Stage) -> None:
    names = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", 'Quote " and, comma', "Plain"]
    for minute, name in enumerate(names):
        enters(stage, name, "0.5", minute)
    answer = stage.server.request("GET", f"{BOARD}.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    lines = answer.text.split("\r\n")
    assert lines[0] == (
        "rank,team,team_id,score,submission_id,submissions,submitted_at,last_submitted_at,tags"
    )
    assert lines[-1] == ""
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["team"] for row in rows] == [
        '\'=HYPERLINK("http://x")',
        "'+1",
        "'-1",
        "'@SUM(A1)",
        'Quote " and, comma',
        "Plain",
    ]
    assert rows[0]["score"] == "0.50000"
    assert rows[0]["rank"] == "1"
    assert rows[0]["submitted_at"] == "2026-01-01T00:00:00Z"


def test_the_private_board_is_there_after_the_reveal(stage: Stage) -> None:
    enters(stage, "Ada", "0.9", 1, private="0.2")
    enters(stage, "Bob", "0.1", 2, private="0.7")
    for path in (f"{BOARD}?split=private", f"{BOARD}.csv?split=private"):
        for token in (None, stage.token, stage.admin_token):
            answer = stage.server.request("GET", path, token)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-revealed")
    reveal(stage)
    rows = stage.server.request("GET", f"{BOARD}?split=private").json()["rows"]
    assert [(row["rank"], row["team"]["name"], row["score"]) for row in rows] == [
        (1, "Bob", 0.7),
        (2, "Ada", 0.2),
    ]
    assert "Bob" in stage.server.request("GET", f"{BOARD}.csv?split=private").text


def test_a_private_competition_hides_its_board_from_strangers(stage: Stage) -> None:
    with stage.server.application.database.write() as session:
        session.get_one(Competition, stage.competition.id).visibility = "private"
    unknown = stage.server.request("GET", "/competitions/nothing/leaderboard").json()
    for token in (None, stage.stranger_token):
        answer = stage.server.request("GET", BOARD, token)
        assert answer.status_code == 404
        assert answer.json() | {"request_id": ""} == unknown | {"request_id": ""}
    assert stage.server.request("GET", BOARD, stage.token).status_code == 200


def test_a_board_that_was_kept_is_forgotten_with_the_next_score(stage: Stage) -> None:
    enters(stage, "Ada", "0.5")
    for _ in range(2):
        assert stage.server.request("GET", BOARD).json()["rows"][0]["score"] == 0.5
    enters(stage, "Bob", "0.75")
    assert stage.server.request("GET", BOARD).json()["rows"][0]["score"] == 0.75
    assert "0.75000" in stage.server.request("GET", f"{BOARD}.csv").text


class Kept:
    """Boards that are kept, of so many bytes together, and which of them had to be made."""

    def __init__(self, most_bytes: int) -> None:
        self.boards = RenderedBoards(most_bytes + 2 * ENTRY_BYTES)
        self.made: list[str] = []

    def get(self, part: str, etag: str, size: int) -> int:
        def render() -> Rendered:
            self.made.append(etag)
            return Rendered(bytes(size))

        return len(self.boards.get(("competition", "public", part), etag, render).body)


def test_kept_boards_take_no_more_than_their_room() -> None:
    kept = Kept(100)
    assert [kept.get(part, part, 40) for part in ("a", "b", "a", "c", "a", "b")] == [40] * 6
    assert kept.made == ["a", "b", "c", "b"]
    assert kept.get("huge", "huge", 10_000) == 10_000
    assert kept.get("a", "a", 40) == 40
    assert kept.made[-2:] == ["huge", "a"]


def test_a_new_version_of_a_board_takes_the_place_of_the_one_before() -> None:
    kept = Kept(100)
    kept.get("other", "other", 40)
    assert [kept.get("page", f"version {number}", 40 + number) for number in range(5)] == [
        40, 41, 42, 43, 44,
    ]  # fmt: skip
    # There was room for two all the time, so the other one is still there.
    assert kept.get("other", "other", 40) == 40
    assert kept.get("page", "version 4", 44) == 44
    assert kept.made == ["other", *(f"version {number}" for number in range(5))]


def test_answers_on_a_kept_connection_are_not_held_back(stage: Stage) -> None:
    # Nagle's algorithm would keep the body of an answer until its head was acknowledged.
    assert stage.server.request("GET", BOARD).status_code == 200
    delays = [
        connection.transport.get_extra_info("socket").getsockopt(IPPROTO_TCP, TCP_NODELAY)
        for connection in stage.server.connections
    ]
    assert delays
    assert all(delays)
