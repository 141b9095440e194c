"""The end of a competition: a preview for organizers alone, then the podium for everybody."""

from __future__ import annotations

import csv
import io
import re
from hashlib import sha256
from typing import Any

import pytest
from sqlalchemy import select

from podium.application import Application
from podium.core.competition_settings import CompetitionSettings
from podium.core.models import AccessToken, User
from podium.main import create_app
from tests.builders.board_rows import NOON, add_competition, add_team
from tests.builders.boards import enters
from tests.builders.servers.in_process import TestClient
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


def test_a_preview_says_which_of_equal_scores_is_ahead(played: Stage) -> None:
    signed = {"Authorization": f"Bearer {played.admin_token}"}
    sentence = "ties go to the earlier submission."
    assert sentence not in played.server.client.get("/organize/otto/finale", headers=signed).text
    enters(played, "Zoe", "0.3", minute=4, private="0.4")
    assert sentence in played.server.client.get("/organize/otto/finale", headers=signed).text


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


def finale_for(
    application: Application, teams: list[str], own: str | None, settings: dict[str, Any]
) -> str:
    """The page as it reads for a member of the team `own`, all teams being tied."""
    document = CompetitionSettings(**settings).model_dump(mode="json")
    otto = add_competition(application, closed_at=NOON, revealed_at=NOON, settings=document)
    for place, name in enumerate(teams):
        members = ("ada",) if name == own else ()
        final = (60_000 - 1_000 * place, place + 1)
        public = 50_000 + place
        add_team(application, otto, name, public, final=final, members=members, is_tied=place < 6)
    headers = {}
    if own is not None:
        with application.database.write() as session:
            ada = session.scalars(select(User).where(User.name == "ada")).one()
            digest = sha256(b"token of ada").hexdigest()
            session.add(AccessToken(user_id=ada.id, label="x", sha256=digest, created_at=NOON))
        headers = {"Authorization": "Bearer token of ada"}
    browser = TestClient(create_app(application))
    text = browser.get("/competitions/otto/finale", headers=headers).text
    return " ".join(re.sub(r"<(?!i>)[^>]*>", "", text).split())


CHANCE = "on these sessions the difference could be chance."


@pytest.mark.parametrize(
    ("tied", "own", "sentence"),
    [
        (["Bob"], None, f"Bob is statistically tied with the winner: {CHANCE}"),
        (
            ["Bob", "Eve"],
            "Bob",
            f"Your team and Eve are statistically tied with the winner: {CHANCE}",
        ),
        (
            ["Bob", "Eve", "Zoe"],
            "Zoe",
            f"Bob, Eve and your team are statistically tied with the winner: {CHANCE}",
        ),
        (
            ["Bob", "Eve", "Zoe", "Kim"],
            "Kim",
            f"4 teams, yours among them, are statistically tied with the winner: {CHANCE}",
        ),
        (
            ["Bob", "Eve", "Zoe", "Kim"],
            None,
            f"4 teams are statistically tied with the winner: {CHANCE}",
        ),
        (["Bob"], "Ada", f"Bob is statistically tied with your team: {CHANCE}"),
    ],
)
def test_the_finale_names_who_is_tied_with_the_winner(
    application: Application, tied: list[str], own: str | None, sentence: str
) -> None:
    assert f" {sentence}" in finale_for(application, ["Ada", *tied], own, {})


@pytest.mark.parametrize(
    ("scores", "is_told"), [((60_000, 60_000, 1), True), ((60_000, 2, 1), False)]
)
def test_where_scores_are_equal_pages_say_which_team_is_ahead(
    application: Application, browser: TestClient, scores: tuple[int, ...], is_told: bool
) -> None:
    otto = add_competition(application, closed_at=NOON, revealed_at=NOON)
    for place, (name, score) in enumerate(zip(("Ada", "Bob", "Eve"), scores, strict=True), 1):
        add_team(application, otto, name, score, final=(score, place))
    rest = "go to the earlier submission."
    for page in ("finale", "leaderboard"):
        told = f"Scores are compared with all their decimals; ties {rest}"
        assert (told in browser.get(f"/competitions/otto/{page}").text) is is_told
    public = browser.get("/competitions/otto/leaderboard?split=public").text
    assert (f"Ties {rest}" in public) is is_told


def test_the_finale_uses_the_competitions_own_word_and_no_markup_of_names(
    application: Application,
) -> None:
    settings = {"id_column": "user_type"}
    text = finale_for(application, ["Ada", "<i>Eve</i>"], None, settings)
    assert "&lt;i&gt;Eve&lt;/i&gt; is statistically tied" in text
    assert "on these users the difference" in text


def test_ties_are_told_once_all_of_them_are_known(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, closed_at=NOON, revealed_at=NOON)
    for place, (name, is_tied) in enumerate((("Ada", None), ("Bob", True), ("Eve", None)), 1):
        final = (60_000 - place, place)
        add_team(application, otto, name, 1, final=final, is_tied=is_tied, standard_error=0.1)
    page = browser.get("/competitions/otto/finale").text
    assert "is being computed" in page
    assert "statistically tied with the winner:" not in page


def test_the_own_team_reads_how_it_did(application: Application) -> None:
    text = finale_for(application, ["Ada", "Bob", "Eve"], "Eve", {})
    own = text.split("Your team")[-1]
    assert "#3 of 3 Final score 0.58000 Behind the winner 0.02000" in own
    assert "Public rank #1: ▼ you fell 2 places" in own


def test_results_by_person_have_final_ranks_once_these_are_published(played: Stage) -> None:
    def told() -> dict[str, tuple[str, ...]]:
        text = asked(played, "GET", f"{COMPETITION}/people.csv").text
        return {line[1]: tuple(line[2:6]) for line in csv.reader(io.StringIO(text))}

    assert told()["Bob"] == ("2", told()["Bob"][1], "", "")
    asked(played, "POST", f"{COMPETITION}/close")
    asked(played, "POST", f"{COMPETITION}/reveal")
    after = told()
    ranked = {name: line[2:] for name, line in after.items() if line[0].isdigit()}
    assert list(ranked.items()) == [
        ("Bob", ("1", "0.50000")),
        ("Eve", ("2", "0.40000")),
        ("Ada", ("3", "0.30000")),
    ]
