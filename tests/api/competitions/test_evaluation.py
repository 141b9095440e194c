"""The page of a competition says how it is scored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from podium.application import Application
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.presets import PRESETS
from podium.main import create_app
from tests.builders.board_rows import add_competition
from tests.builders.page import compact
from tests.builders.servers.in_process import TestClient


@pytest.fixture
def browser(application: Application) -> Iterator[TestClient]:
    with TestClient(create_app(application)) as client:
        yield client


def text_of(application: Application, browser: TestClient, **settings: Any) -> str:
    """The words of a competition's page."""
    document = CompetitionSettings.model_validate(settings).model_dump(mode="json")
    add_competition(application, settings=document)
    html = browser.get("/competitions/otto").text
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_objectives_stand_with_weights_formulas_and_sources(
    application: Application, browser: TestClient
) -> None:
    text = text_of(
        application,
        browser,
        objectives={"clicks": 0.5, "carts": {"weight": 10, "metric": "ndcg@5"}},
        diagnostics=["mrr@7"],
    )
    assert "2 metrics" in browser.get("/").text
    assert "Score = 0.5 · clicks + 10 · carts. Higher is better." in text
    assert "Recall@20 : hits among the first 20 items / min(20, relevant items)" in text
    assert "recall_capped@20:micro . Source: OTTO" in text
    assert (
        "public board is made from about 33 % of the sessions, the final ranking from the" in text
    )
    assert "NDCG@5 : mean of: Σ relevance / log2(rank + 1) over the first 5 items" in text
    assert "Järvelin" in text
    assert "not ranked MRR@7 : mean of: 1 / rank of the first relevant item" in text


def test_a_single_objective_needs_no_sum_and_errors_are_better_when_small(
    application: Application, browser: TestClient
) -> None:
    text = text_of(application, browser, **PRESETS["rmse"])
    assert "The score is" not in text
    assert "Lower is better." in text
    assert "RMSE : square root of the mean" in text
    assert "33 % of the users" in text
    assert "with the number that you predict." in text


TWEETS: dict[str, Any] = {
    "task": "scores",
    "objectives": {"like": 0.6, "reply": 0.4},
    "id_column": "user",
    "item_column": "tweet",
    "labels_column": "score",
    "context_column": "impression",
    "context_ids": "string",
    "unit": "context",
}


@pytest.mark.parametrize(
    ("metric", "diagnostics", "number"),
    [
        ("auc", [], "a number, the higher the surer you are"),
        ("log_loss", [], "a probability from 0 to 1"),
        ("auc", ["brier"], "a probability from 0 to 1"),
    ],
)
def test_scored_pairs_say_what_their_numbers_mean_and_what_is_split(
    application: Application,
    browser: TestClient,
    metric: str,
    diagnostics: list[str],
    number: str,
) -> None:
    text = text_of(application, browser, **TWEETS, metric=metric, diagnostics=diagnostics)
    assert f"with {number}, in each of the columns like, reply." in text
    assert "user,tweet,impression,like,reply 1,7,impression-1,0.8,0.15" in text
    assert "33 % of the impressions, the final ranking from the others" in text
    data = compact(browser.get("/competitions/otto/data").text)
    assert data.count(f"<dd>A{number[1:]}.</dd>") == 2


def test_files_of_candidates_may_be_lists_as_well(
    application: Application, browser: TestClient
) -> None:
    columns = {"id_column": "impression", "item_column": "news", "labels_column": "click"}
    rerank = {"task": "rerank", "objectives": {"click": 1}, "metric": "mrr", **columns}
    text = text_of(application, browser, **rerank)
    assert "with the columns impression,items : a row for each impression with all its" in text
