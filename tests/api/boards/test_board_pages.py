"""The pages as a browser gets them, over rows that the test wrote into a real database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import select

from podium import DOCUMENTATION
from podium.application import Application
from podium.core.competition_settings import CompetitionSettings
from podium.core.models import AccessToken, Competition, Team, User
from podium.main import create_app
from tests.builders.board_rows import NOON, add_competition, add_team
from tests.builders.page import Page
from tests.builders.servers.in_process import TestClient

HOUR = timedelta(hours=1)


@pytest.fixture
def browser(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


BOARD = "/competitions/otto/leaderboard"


def test_a_board_shows_its_teams_best_first(application: Application, browser: TestClient) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 57123)
    add_team(application, otto, "Bob", 60000)
    answer = browser.get(BOARD)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert [[*row[:4], row[-1]] for row in Page(answer.text).rows] == [
        ["#↑", "Team", "Score", "Submissions", "Last submission"],
        ["1", "Bob", "0.60000", "3", "20 Nov 2026, 12:00 UTC"],
        ["2", "Ada", "0.57123", "3", "20 Nov 2026, 12:00 UTC"],
    ]


@pytest.mark.parametrize("changes", [{"launched_at": None}, {"visibility": "private"}])
def test_boards_of_drafts_and_private_competitions_are_not_found(
    application: Application, browser: TestClient, changes: dict[str, Any]
) -> None:
    add_competition(application, **changes)
    assert browser.get(BOARD).status_code == 404


def test_names_of_teams_are_text_and_never_markup(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, title="<b>x</b>")
    add_team(application, otto, "<script>alert(1)</script>", 1)
    for path in (BOARD, "/competitions/otto/charts"):
        page = Page(browser.get(path).text)
        own = [attrs for tag, attrs in page.tags if tag == "script" and "src" not in attrs]
        assert own == []
        assert [tag for tag, _ in page.tags if tag == "b"] == []
    assert Page(browser.get(BOARD).text).rows[1][1] == "<script>alert(1)</script>"


def test_a_baseline_is_shown_with_its_tag_and_without_a_rank(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Popular", 60000, is_ranked=False, tags=("baseline",))
    add_team(application, otto, "Ada", 50000)
    rows = Page(browser.get("/competitions/otto/leaderboard").text).rows
    assert [row[:2] for row in rows[1:]] == [["–", "Popularbaseline"], ["1", "Ada"]]


def test_the_private_board_appears_with_the_reveal(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 1, final=(57123, 1))
    assert browser.get("/competitions/otto/leaderboard?split=private").status_code == 404
    assert "split=private" not in browser.get("/competitions/otto/leaderboard").text
    with application.database.write() as session:
        session.get_one(Competition, otto).revealed_at = NOON
    assert "split=private" in browser.get("/competitions/otto/leaderboard").text
    rows = Page(browser.get("/competitions/otto/leaderboard?split=private").text).rows
    assert rows[1][2:4] == ["Ada", "0.57123"]


def test_a_long_board_has_pages(application: Application, browser: TestClient) -> None:
    otto = add_competition(application)
    for number in range(101):
        add_team(application, otto, f"Team {number:03}", 50000 - number)
    first = Page(browser.get(BOARD).text)
    assert (len(first.rows), "?page=2" in first.addresses()) == (101, True)
    second = Page(browser.get(f"{BOARD}?page=2").text)
    assert second.rows[1][:2] == ["101", "Team 100"]
    assert "?" in second.addresses()
    assert "This page is empty" in browser.get(f"{BOARD}?page=100000").text
    assert browser.get(f"{BOARD}?page=0").status_code == 422


def test_a_board_is_searched_by_how_names_read(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    for name, shown in (("Ada Lovelace", 3), ("Bob", 2), ("ADALBERT", 1)):
        add_team(application, otto, name, shown)
    rows = Page(browser.get(f"{BOARD}?q=%20ÀDA").text).rows
    assert [row[:2] for row in rows[1:]] == [["1", "Ada Lovelace"], ["3", "ADALBERT"]]
    assert "No team with this name" in browser.get(f"{BOARD}?q=%25").text


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("-rank", ["Ada", "Bob", "Cleo"]),
        ("team", ["Ada", "Bob", "Cleo"]),
        ("-submissions", ["Bob", "Cleo", "Ada"]),
        ("last", ["Cleo", "Ada", "Bob"]),
    ],
)
def test_a_board_is_sorted_by_what_it_shows(
    application: Application, browser: TestClient, sort: str, names: list[str]
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 1, submissions=1, last_submitted_at=NOON)
    add_team(application, otto, "Bob", 2, submissions=9, last_submitted_at=NOON + HOUR)
    add_team(application, otto, "Cleo", 3, submissions=2, last_submitted_at=NOON - HOUR)
    page = Page(browser.get(f"{BOARD}?sort={sort}").text)
    assert [row[1] for row in page.rows[1:]] == names
    assert [attrs["aria-sort"] for _, attrs in page.tags if "aria-sort" in attrs] == [
        "descending" if sort.startswith("-") else "ascending"
    ]


@pytest.mark.parametrize("sort", ["score", "private", "private_score", "-position", "place;"])
def test_a_board_is_sorted_by_nothing_else(
    application: Application, browser: TestClient, sort: str
) -> None:
    add_competition(application)
    assert browser.get(BOARD, params={"sort": sort}).status_code == 422
    api = "/api/v1/competitions/otto/leaderboard"
    assert browser.get(api, params={"sort": sort}).status_code == 422


def test_no_request_leaves_the_machine(application: Application, browser: TestClient) -> None:
    add_competition(application)
    for path in ("/", "/competitions/otto/leaderboard"):
        answer = browser.get(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        page = Page(answer.text)
        elsewhere = [a for a in page.addresses() if not a.startswith(("/", "#", "?"))]
        assert elsewhere == [DOCUMENTATION], "a link, which nothing is loaded from"
        assert [attrs for _, attrs in page.tags if "style" in attrs or "onclick" in attrs] == []
        own = [a for a in page.addresses() if a.startswith("/static/")]
        assert {browser.get(address).status_code for address in own} == {200}


@pytest.mark.parametrize(
    "path", ["/static/secret", "/static/..%2fboards.py", "/static/%2e%2e/templates/base.html"]
)
def test_only_the_known_static_files_are_served(browser: TestClient, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_a_page_can_be_used_by_keyboard_and_screen_reader(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 1)
    for path in (BOARD, "/competitions/otto/charts"):
        tags = Page(browser.get(path).text).tags
        names = [name for name, _ in tags]
        assert ("html", {"lang": "en"}) in tags
        assert names.count("h1") == 1
        assert names.count("main") == 1
        assert ("a", {"class": "skip", "href": "#main"}) in tags
        assert {attrs.get("scope") for name, attrs in tags if name == "th"} == {"col", "row"}
        assert all("alt" in attrs for name, attrs in tags if name == "img")


def test_a_final_board_shows_intervals_ties_and_where_teams_came_from(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, revealed_at=NOON)
    add_team(application, otto, "Ada", 49000, final=(51000, 1), standard_error=0.01, is_tied=True)
    add_team(application, otto, "Bob", 50000, final=(50000, 2), standard_error=0.01, is_tied=True)
    page = Page(browser.get(f"{BOARD}?split=private").text)
    assert page.rows[0][1] == "Public rank"
    assert page.rows[1][:5] == ["1", "▲1place up#2", "Ada", "0.51000", "0.49040 to 0.52960"]
    assert page.rows[2][:3] == ["2", "▼1place down#1", "Bobtied with #1"]


@pytest.mark.parametrize(
    ("metric", "low", "high"),
    [
        ("recall@20", "0.00000 to 0.02060", "0.97040 to 1.00000"),
        ("cg@20", "0.00000 to 0.02060", "0.97040 to 1.00960"),
    ],
)
def test_an_interval_ends_where_no_score_can_be(
    application: Application, browser: TestClient, metric: str, low: str, high: str
) -> None:
    settings = CompetitionSettings(metric=metric).model_dump(mode="json")
    otto = add_competition(application, settings=settings, revealed_at=NOON)
    add_team(application, otto, "Ada", 1, final=(99000, 1), standard_error=0.01)
    add_team(application, otto, "Bob", 1, final=(100, 2), standard_error=0.01)
    rows = Page(browser.get(BOARD).text).rows
    assert [row[4] for row in rows[1:]] == [high, low]
    told = browser.get("/api/v1/competitions/otto/leaderboard?split=private").json()["rows"]
    assert [row["interval"] for row in told] == [[0.9704, 1.0096], [-0.0186, 0.0206]]


def test_a_board_names_the_people_of_its_teams(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Team A", 1, members=("ada", "<i>bob</i>"))
    assert Page(browser.get(BOARD).text).rows[1][1] == "Team Aada,<i>bob</i>"


def test_a_board_says_of_which_sessions_it_is_made(
    application: Application, browser: TestClient
) -> None:
    add_competition(application, revealed_at=NOON)
    assert "about 33 % of the sessions" in browser.get(f"{BOARD}?split=public").text
    assert "about 67 % of the sessions" in browser.get(f"{BOARD}?split=private").text


def test_after_the_reveal_board_and_charts_open_on_the_final_ranking(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, closed_at=NOON, revealed_at=NOON)
    add_team(application, otto, "Ada", 57123)
    assert "<h1>Final ranking</h1>" in browser.get(BOARD).text
    assert "<h1>Leaderboard</h1>" in browser.get(f"{BOARD}?split=public").text
    charts = browser.get("/competitions/otto/charts").text
    assert 'href="?" aria-current="page">Final (private)' in charts
    overview = browser.get("/competitions/otto").text
    assert "Submit a file" not in overview
    assert "the final ranking is published" in overview


def test_a_board_says_how_many_teams_entered_and_how_many_are_on_it(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 57123)
    with application.database.write() as session:
        late = Team(competition_id=otto, name="Late", name_key="late", invite_code="x")
        late.created_at = NOON
        session.add(late)
    assert "of 2 that entered" in browser.get(BOARD).text


def test_a_frozen_board_says_so(application: Application, browser: TestClient) -> None:
    add_competition(application, frozen_at=NOON)
    assert "The board is frozen" in browser.get(BOARD).text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("as_of=2026-11-20", 200),
        ("as_of=2999-01-01", 200),
        ("as_of=", 200),
        ("as_of=2026-11-19", 404),
        ("as_of=yesterday", 422),
        ("as_of=2026-13-01", 422),
        ("as_of=0001-01-01T00:00:00%2B05:00", 422),
        ("as_of=0001-01-01", 404),
        ("split=secret", 422),
        ("days=0", 422),
    ],
)
def test_a_board_is_shown_as_of_a_day(
    application: Application, browser: TestClient, query: str, status: int
) -> None:
    add_competition(application)
    answer = browser.get(f"{BOARD}?{query}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_a_visitor_finds_the_own_team(application: Application, browser: TestClient) -> None:
    otto = add_competition(application)
    for number in range(101):
        add_team(application, otto, f"Team {number:03}", 50000 - number)
    team_id = add_team(application, otto, "Mine", 1, members=("ada",))
    with application.database.write() as session:
        ada = session.scalars(select(User).where(User.name == "ada")).one()
        sha256_of_token = sha256(b"token of ada").hexdigest()
        session.add(AccessToken(user_id=ada.id, label="x", sha256=sha256_of_token, created_at=NOON))
    headers = {"Authorization": "Bearer token of ada"}
    answer = browser.get(BOARD, headers=headers)
    assert answer.headers["cache-control"] == "no-store"
    assert f"?page=2#team-{team_id}" in Page(answer.text).addresses()
    second = Page(browser.get(f"{BOARD}?page=2", headers=headers).text)
    assert second.rows[2][1] == "Mineyouada"
    assert [a["id"] for _, a in second.tags if "mine" in (a.get("class") or "")] == [
        f"team-{team_id}"
    ]
    # No other user is shown that page.
    assert "tag-you" not in browser.get(f"{BOARD}?page=2").text


def test_a_board_is_asked_for_news_as_it_was_shown(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 1)
    (live,) = (a for _, a in Page(browser.get(BOARD).text).tags if a.get("id") == "live")
    news, known = str(live["data-news"]), {"If-None-Match": str(live["data-etag"])}
    unchanged = browser.get(news, headers=known)
    assert unchanged.status_code == 304
    with application.database.write() as session:
        session.get_one(Competition, otto).board_version += 1
    changed = browser.get(news, headers=known)
    assert changed.status_code == 200
    assert "data-news" not in browser.get(f"{BOARD}?as_of=2026-11-20T12:00:00Z").text
