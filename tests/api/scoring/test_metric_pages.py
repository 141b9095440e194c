"""The pages of the metrics, and the way to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from podium.application import Application
from podium.core.competition_settings import CompetitionSettings
from podium.main import create_app
from podium.scoring.metrics import REGISTRY
from tests.builders.board_rows import add_competition
from tests.builders.servers.in_process import TestClient


@pytest.fixture
def browser(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


def test_every_metric_has_a_page_that_the_index_leads_to(browser: TestClient) -> None:
    index = browser.get("/help/metrics").text
    for name in (name for known in REGISTRY.values() for name in known):
        assert f'href="/help/metrics/{name}"' in index
        page = browser.get(f"/help/metrics/{name}")
        assert page.status_code == 200
        assert '<math display="block">' in page.text


def test_a_page_shows_the_example_and_leads_to_relatives(browser: TestClient) -> None:
    page = browser.get("/help/metrics/map_capped").text
    assert "Divided by min(4, 3) = 3: 1.66667 / 3 = 0.55556" in page
    assert '<a href="/help/metrics/map"><code>map</code></a>' in page
    assert "Presets: h-and-m" in page
    assert browser.get("/help/metrics/map_capped@12").text == page
    for name, known in (("r2_mean", "r2"), ("f1_binary_30", "f1_binary"), ("rbp_95@5", "rbp")):
        assert (
            browser.get(f"/help/metrics/{name}").text == browser.get(f"/help/metrics/{known}").text
        )
    unknown = browser.get("/help/metrics/wizardry")
    assert unknown.status_code == 404
    assert "There is no metric of this name" in unknown.text


def test_overview_and_board_lead_to_the_page_of_their_metric(
    application: Application, browser: TestClient
) -> None:
    settings = CompetitionSettings(metric="ndcg@5", diagnostics=("mrr@7",))
    add_competition(application, settings=settings.model_dump(mode="json"))
    overview = browser.get("/competitions/otto").text
    assert '<a href="/help/metrics/ndcg">NDCG@5</a>' in overview
    assert '<a href="/help/metrics/mrr">MRR@7</a>' in overview
    board = browser.get("/competitions/otto/leaderboard").text
    assert '<a href="/help/metrics/ndcg">NDCG@5, macro</a>' in board
