"""The page of charts, over rows that the test wrote into a real database."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from podium.application import Application
from podium.boards.pages.charts import Chart, drawn
from podium.boards.schemas import ChartsOut
from podium.core.models import Competition
from podium.main import create_app
from tests.builders.board_rows import NOON, add_competition, add_team
from tests.builders.boards import score, team_of
from tests.builders.page import Page
from tests.builders.rows import START
from tests.builders.servers.in_process import TestClient
from tests.builders.uploads.stage import Stage

CHARTS = "/competitions/otto/charts"

TEAMS = 2_600

MAX_BYTES = 15 << 10
"""The most bytes of a chart with its table, compressed."""


@pytest.fixture
def browser(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


def season() -> dict[str, Any]:
    """Figures of a board as large as OTTO's was on Kaggle."""
    teams = [{"id": f"team-{n}", "name": f"The team with the number {n}"} for n in range(TEAMS)]
    scores = [0.6 - n * 1e-4 for n in range(TEAMS)]
    points = [
        {"at": (NOON + timedelta(hours=7 * n)).isoformat(), "score": 0.5 + n * 1e-3}
        for n in range(60)
    ]
    return {
        "competition": "otto",
        "split": "private",
        "version": "1",
        "updated_at": None,
        "is_error": False,
        "decimals": 5,
        "until": (NOON + timedelta(days=90)).isoformat(),
        "best": [{"team": teams[n], "rank": n + 1, "points": points} for n in range(10)],
        "spread": [{"low": n / 30, "high": (n + 1) / 30, "teams": n * 7} for n in range(30)],
        "ranks": [{"rank": 13 * n + 1, "score": scores[13 * n]} for n in range(200)],
        "own": {"team": teams[11], "rank": 12, "score": scores[11]},
        "moves": [
            {"team": team, "public_rank": 1 + n * 7919 % TEAMS, "private_rank": n + 1}
            for n, team in enumerate(teams)
        ],
        "objectives": [
            {
                "team": teams[n],
                "rank": n + 1,
                "objectives": {
                    name: {"public": 0.5 + n / 100, "private": 0.4}
                    for name in ("clicks", "carts", "orders")
                },
            }
            for n in range(10)
        ],
    }


def season_drawn(figures: dict[str, Any]) -> list[Chart]:
    """The charts of these figures, of a season of 90 days."""
    end = NOON + timedelta(days=90)
    return drawn(ChartsOut.model_validate(figures), launched_at=NOON, end=end)


def times_of(browser: TestClient) -> list[str]:
    """The labels of the axis of time on the page."""
    svg = browser.get(CHARTS).text.split('aria-labelledby="best-title')[1].split("</svg>")[0]
    return [label for label in re.findall(r">([^<]+)</text>", svg) if re.match(r"\d\d[ :]", label)]


def test_every_chart_has_its_figures_as_a_table(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 57123)
    add_team(application, otto, "Bob", 60000)
    answer = browser.get(CHARTS)
    assert answer.status_code == 200
    page = Page(answer.text)
    charts = [attrs for tag, attrs in page.tags if tag == "svg" and attrs.get("role") == "img"]
    tables = [tag for tag, _ in page.tags if tag == "table"]
    assert (len(charts), len(tables)) == (3, 3)
    assert ["Rank", "Score"] in page.rows
    assert ["1", "0.60000"] in page.rows
    assert ["2", "0.57123"] in page.rows
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_without_a_score_there_is_nothing_to_draw(
    application: Application, browser: TestClient
) -> None:
    add_competition(application)
    answer = browser.get(CHARTS)
    assert "No charts yet" in answer.text
    assert 'role="img"' not in answer.text


def test_charts_of_the_final_board_come_with_the_reveal(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application)
    add_team(application, otto, "Ada", 49000, final=(51000, 1))
    add_team(application, otto, "Bob", 50000, final=(50000, 2))
    assert browser.get(f"{CHARTS}?split=private").status_code == 404
    assert "Shake-up" not in browser.get(CHARTS).text
    with application.database.write() as session:
        session.get_one(Competition, otto).revealed_at = NOON
    page = Page(browser.get(f"{CHARTS}?split=private").text)
    assert ["Ada", "2", "1", "+1"] in page.rows
    assert ["Bob", "1", "2", "-1"] in page.rows


def test_charts_of_a_private_competition_are_hidden(
    application: Application, browser: TestClient
) -> None:
    add_competition(application, visibility="private")
    assert browser.get(CHARTS).status_code == 404


def test_an_unchanged_page_of_charts_is_not_sent_again(
    application: Application, browser: TestClient
) -> None:
    otto = add_competition(application, closed_at=NOON + timedelta(days=1))
    add_team(application, otto, "Ada", 1)
    tag = browser.get(CHARTS).headers["etag"]
    assert browser.get(CHARTS, headers={"If-None-Match": tag}).status_code == 304


def test_scores_over_time_begin_with_them_and_end_with_the_competition(stage: Stage) -> None:
    team = team_of(stage, "Ada")
    score(stage, team, "0.5", minute=5 * 24 * 60)
    score(stage, team, "0.6", minute=6 * 24 * 60)
    browser = TestClient(create_app(stage.server.application))
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.launched_at = START - timedelta(days=100)
        competition.closed_at = START + timedelta(days=9, minutes=1)
    assert times_of(browser) == ["06 Jan", "07 Jan", "08 Jan", "09 Jan", "10 Jan"]
    with stage.server.application.database.write() as session:
        competition = session.get_one(Competition, stage.competition.id)
        competition.launched_at = START + timedelta(days=4.5)
        competition.frozen_at = START + timedelta(days=8.5)
    assert times_of(browser) == ["06 Jan", "07 Jan", "08 Jan", "09 Jan"]


def test_the_title_of_public_scores_says_so_on_the_final_board_too() -> None:
    best = season_drawn(season())[0]
    assert (season()["split"], best.title) == ("private", "Best public score over time")


def test_a_legend_shows_dots_for_dots_and_lines_for_lines() -> None:
    has_dots = {chart.name: chart.has_dots for chart in season_drawn(season()) if chart.legend}
    assert has_dots == {
        "best": False,
        **dict.fromkeys(("ranks", "moves", "objectives-public", "objectives-private"), True),
    }


@pytest.mark.parametrize("missing", [(), ("objectives",), ("moves", "objectives")])
def test_no_chart_stands_beside_an_empty_cell(missing: tuple[str, ...]) -> None:
    charts = season_drawn({**season(), **dict.fromkeys(missing)})
    alone = 0
    for chart in charts:
        assert not (chart.is_wide and alone % 2)
        alone += not chart.is_wide
    assert alone % 2 == 0


def test_charts_of_a_full_season_are_light() -> None:
    charts = season_drawn(season())
    assert [chart.name for chart in charts] == [
        *("best", "spread", "ranks", "moves"),
        *("objectives-public", "objectives-private"),
    ]
    sizes = {
        chart.name: len(gzip.compress(f"{chart.svg}{chart.rows}".encode())) for chart in charts
    }
    assert {name: size for name, size in sizes.items() if size > MAX_BYTES} == {}


def test_the_own_team_stands_out_in_every_chart() -> None:
    figures = season()
    figures["best"].append({**figures["best"][0], "team": figures["own"]["team"], "rank": 12})
    best, spread, ranks, moves = season_drawn(figures)[:4]
    assert best.legend[-1] == ("series-own", "#12 The team with the number 11 (you)")
    assert best.svg.count("line series-own") == 1
    assert "you: 0.59890" in spread.svg
    assert "you: #12, 0.59890" in ranks.svg
    assert 'class="spot"' in moves.svg


def test_errors_are_worst_where_they_are_largest() -> None:
    charts = season_drawn({**season(), "is_error": True})
    about = next(c.about for c in charts if c.name == "spread")
    assert "the last bar counts worse scores too" in about
