"""The pages as a browser gets them, over rows that the test wrote into a real database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from app.application import Application
from app.db.models import Competition, Standing, Team, User
from app.db.types import new_id
from app.domain.competition_settings import CompetitionSettings
from app.main import create_app

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """Pages are the same on every database; their queries are tested on both elsewhere."""
    return sqlite_url


@pytest.fixture
def browser(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


class Page(HTMLParser):
    """What a page consists of: its tags with attributes, and the text of each table row."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self._in_cell = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data.strip()

    def addresses(self) -> list[str]:
        """Everything that the page refers to."""
        found = (attrs.get("href") or attrs.get("src") for _, attrs in self.tags)
        return [address for address in found if address]


def add_competition(application: Application, slug: str = "otto", **changes: Any) -> str:
    """A launched public competition of a user of its own."""
    values: dict[str, Any] = {
        "title": f"The {slug}",
        "settings": CompetitionSettings().model_dump(mode="json"),
        "launched_at": NOON,
        "created_at": NOON,
        "version": 1,
        **changes,
    }
    with application.database.write() as session:
        user = User(name=f"organizer of {slug}", name_key=slug, created_at=NOON)
        session.add(user)
        session.flush()
        competition = Competition(slug=slug, created_by=user.id, **values)
        session.add(competition)
        session.flush()
        return competition.id


def add_team(
    application: Application, competition_id: str, name: str, shown: int, **changes: Any
) -> None:
    """A team with a standing of so many hundred-thousandths."""
    values: dict[str, Any] = {"board": "public", "is_ranked": True, "position": None, **changes}
    tags = values.pop("tags", [])
    with application.database.write() as session:
        team = Team(
            competition_id=competition_id,
            name=name,
            name_key=name,
            invite_code=new_id(),
            tags=tags,
            created_at=NOON,
        )
        session.add(team)
        session.flush()
        session.add(
            Standing(
                competition_id=competition_id,
                team_id=team.id,
                shown=shown,
                decimals=5,
                submission_id=new_id(),
                submitted_at=NOON,
                sequence=1,
                submissions=3,
                last_submitted_at=NOON,
                **values,
            )
        )


def test_the_first_page_shows_every_public_competition_with_its_board(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 57123)
    add_team(application, otto, "Bob", 60000)
    answer = browser.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert Page(answer.text).rows == [
        ["#", "Team", "Score", "Submissions", "Last"],
        ["1", "Bob", "0.60000", "3", "20 Nov, 12:00"],
        ["2", "Ada", "0.57123", "3", "20 Nov, 12:00"],
    ]


def test_without_a_competition_the_first_page_says_how_to_make_one(browser: TestClient) -> None:
    assert "There is no competition yet" in browser.get("/").text


@pytest.mark.parametrize("changes", [{"launched_at": None}, {"visibility": "private"}])
def test_drafts_and_private_competitions_are_not_found(
    application: Application, browser: TestClient, changes: dict[str, Any]
) -> None:
    add_competition(application, "hidden", **changes)
    assert "The hidden" not in browser.get("/").text
    assert browser.get("/competitions/hidden/leaderboard").status_code == 404


def test_names_of_teams_are_text_and_never_markup(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, title="<b>x</b>")
    add_team(application, otto, "<script>alert(1)</script>", 1)
    for path in ("/", "/competitions/otto/leaderboard"):
        page = Page(browser.get(path).text)
        assert [tag for tag, _ in page.tags if tag in ("script", "b")] == []
        assert page.rows[1][1] == "<script>alert(1)</script>"


def test_a_baseline_is_shown_with_its_tag_and_without_a_rank(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Popular", 60000, is_ranked=False, tags=["baseline"])
    add_team(application, otto, "Ada", 50000)
    rows = Page(browser.get("/competitions/otto/leaderboard").text).rows
    assert [row[:2] for row in rows[1:]] == [["–", "Popularbaseline"], ["1", "Ada"]]


def test_the_private_board_appears_with_the_reveal(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 57123, board="private", position=1)
    assert browser.get("/competitions/otto/leaderboard?split=private").status_code == 404
    assert "split=private" not in browser.get("/competitions/otto/leaderboard").text
    with application.database.write() as session:
        session.get_one(Competition, otto).revealed_at = NOON
    assert "split=private" in browser.get("/competitions/otto/leaderboard").text
    rows = Page(browser.get("/competitions/otto/leaderboard?split=private").text).rows
    assert rows[1][:3] == ["1", "Ada", "0.57123"]


def test_a_long_board_has_pages(application: Application, browser: TestClient) -> None:
    otto = add_competition(application)
    for number in range(101):
        add_team(application, otto, f"Team {number:03}", 50000 - number)
    assert len(Page(browser.get("/").text).rows) == 11
    first = Page(browser.get("/competitions/otto/leaderboard").text)
    assert (len(first.rows), "?split=public&page=2" in first.addresses()) == (101, True)
    second = Page(browser.get("/competitions/otto/leaderboard?page=2").text)
    assert second.rows[1][:2] == ["101", "Team 100"]
    assert "?split=public&page=1" in second.addresses()
    assert browser.get("/competitions/otto/leaderboard?page=100000").status_code == 200
    assert browser.get("/competitions/otto/leaderboard?page=0").status_code == 422


def test_a_board_that_just_fits_leads_nowhere_else(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    for number in range(10):
        add_team(application, otto, f"Team {number}", number)
    assert "The whole leaderboard" not in browser.get("/").text
    add_team(application, otto, "Team 10", 10)
    assert "The whole leaderboard" in browser.get("/").text


def test_no_request_leaves_the_machine(application: Application, browser: TestClient) -> None:
    add_competition(application)
    for path in ("/", "/competitions/otto/leaderboard"):
        answer = browser.get(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        page = Page(answer.text)
        assert [a for a in page.addresses() if not a.startswith(("/", "#", "?"))] == []
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
    for path in ("/", "/competitions/otto/leaderboard"):
        tags = Page(browser.get(path).text).tags
        names = [name for name, _ in tags]
        assert ("html", {"lang": "en"}) in tags
        assert names.count("h1") == 1
        assert names.count("main") == 1
        assert ("a", {"class": "skip", "href": "#main"}) in tags
        assert {attrs.get("scope") for name, attrs in tags if name == "th"} == {"col", "row"}
        assert all("alt" in attrs for name, attrs in tags if name == "img")


def test_a_final_board_shows_intervals_and_ties(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 51000)
    add_team(application, otto, "Bob", 50000)
    with application.database.write() as session:
        session.execute(update(Standing).values(standard_error=0.01, is_tied=True))
    page = Page(browser.get("/competitions/otto/leaderboard").text)
    assert page.rows[1][1:3] == ["Ada", "0.51000(0.4904 to 0.5296)"]
    assert page.rows[2][1:3] == ["Bobtied with #1", "0.50000(0.4804 to 0.5196)"]
