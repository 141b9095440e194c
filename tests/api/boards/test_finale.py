"""The end of a competition: a preview for organizers alone, then the podium for everybody."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from podium.application import Application
from podium.main import create_app
from tests.builders.board_rows import NOON, add_competition, add_team
from tests.builders.boards import enters
from tests.builders.uploads.stage import Stage

COMPETITION = "/admin/competitions/otto"


@pytest.fixture
def played(stage: Stage) -> Stage:
    """Three teams whose private order is another one than the public."""
    enters(stage, "Ada", "0.6", minute=1, private="0.3")
    enters(stage, "Bob", "0.5", minute=2, private="0.5")
    enters(stage, "Eve", "0.4", minute=3, private="0.4")
    return stage


def asked(stage: Stage, method: str, path: str) -> Any:
    options: dict[str, Any] = {} if method == "GET" else {"json": {}}
    return stage.server.request(method, path, stage.admin_token, **options)


def previewed(stage: Stage) -> list[tuple[str, int, float]]:
    places = asked(stage, "GET", f"{COMPETITION}/finale").json()["places"]
    return [(each["team"]["name"], each["rank"], each["private_score"]) for each in places]


def test_organizers_see_what_a_reveal_would_publish_and_each_look_is_logged(played: Stage) -> None:
    preview = asked(played, "GET", f"{COMPETITION}/finale").json()
    assert [
        (each["team"]["name"], each["rank"], each["public_rank"], each["private_score"])
        for each in preview["places"]
    ] == [("Bob", 1, 2, 0.5), ("Eve", 2, 3, 0.4), ("Ada", 3, 1, 0.3)]
    assert (preview["unjudged"], preview["uploads"]) == (0, 0)
    [entry] = asked(played, "GET", "/admin/audit?action=competition.preview").json()["items"]
    assert entry["facts"] == {"teams": 3}


def test_what_was_previewed_is_what_is_published(played: Stage) -> None:
    before = previewed(played)
    asked(played, "POST", f"{COMPETITION}/close")
    asked(played, "POST", f"{COMPETITION}/reveal")
    board = asked(played, "GET", "/competitions/otto/leaderboard?split=private").json()
    shown = [(row["team"]["name"], row["rank"], row["score"]) for row in board["rows"]]
    assert shown == before == [("Bob", 1, 0.5), ("Eve", 2, 0.4), ("Ada", 3, 0.3)]
    refused = asked(played, "GET", f"{COMPETITION}/finale")
    assert (refused.status_code, refused.json()["code"]) == (409, "competition-revealed")


@pytest.fixture
def browser(application: Application) -> TestClient:
    return TestClient(create_app(application))


def test_there_is_no_podium_before_the_reveal(
    application: Application, browser: TestClient
) -> None:
    add_competition(application)
    for address in ("/competitions/otto/finale", "/competitions/otto/finale.svg"):
        assert browser.get(address).status_code == 404


def test_the_podium_shows_the_first_three_and_the_greatest_climbs(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, closed_at=NOON, revealed_at=NOON)
    for place, name in enumerate(["Ada", "Bob", "<i>Eve</i>", "Late"]):
        add_team(application, otto, name, 50_000 + place, final=(60_000 - place, place + 1))
    page = browser.get("/competitions/otto/finale").text
    steps = page.split('class="podium"')[1].split("</ol>")[0]
    assert steps.index("Ada") < steps.index("Bob") < steps.index("&lt;i&gt;Eve&lt;/i&gt;")
    assert "Late" not in steps
    assert "#4 → #1" in page
    picture = browser.get("/competitions/otto/finale.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "&lt;i&gt;Eve&lt;/i&gt;" in picture.text
    assert "0.60000" in picture.text
