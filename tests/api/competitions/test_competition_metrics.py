"""Metrics of a competition: chosen, changed, described, and refused with their place."""

from __future__ import annotations

from typing import Any

import pytest

from podium.core.models import Competition
from tests.builders.installation import Installation, problem_of

ARCHIVED: dict[str, Any] = {
    "task": "ranking",
    "objectives": {"clicks": "0.1", "carts": "0.3", "orders": "0.6"},
    "metric": {"name": "recall_capped", "k": 10, "average": "micro"},
    "id_column": "session_type",
    "labels_column": "labels",
    "item_ids": "integer",
    "missing_rows": "reject",
    "split": {"public_fraction": "0.33", "usage": False},
    "daily_limit": 5,
    "total_limit": None,
    "final_selections": 2,
    "team_size": 5,
    "max_upload_bytes": 2147483648,
    "max_expanded_bytes": 4294967296,
    "decimals": 5,
    "board": "exact",
    "objective_scores": "after_reveal",
    "registration": "open",
}
"""A settings document as the first version of the service kept it, K apart from its default."""


@pytest.mark.parametrize(
    ("change", "column", "code"),
    [
        ({"metric": "accuracy@1"}, "metric", "unknown-metric"),
        ({"metric": "ndcg"}, "metric", "unknown-metric"),
        ({"metric": "rmse@5"}, "metric", "unknown-metric"),
        ({"metric": "ndcg@10:micro"}, "metric", "unknown-metric"),
        ({"metric": "rmse"}, "metric", "unknown-metric"),
        ({"diagnostics": ["mrr@20", "map@1001"]}, "diagnostics.1", "unknown-metric"),
        ({"diagnostics": ["mae"]}, "diagnostics.0", "unknown-metric"),
        ({"objective_metrics": {"carts": "luck@5"}}, "objective_metrics.carts", "unknown-metric"),
        (
            {"objectives": {"clicks": 1, "carts": {"weight": 2, "metric": "hit_rate@5:mean"}}},
            "body.objective_metrics.carts",
            "invalid",
        ),
        ({"objectives": {"clicks": {"weight": 1, "k": 20}}}, "body", "invalid"),
        ({"objective_metrics": {"views": "mrr@5"}}, "body.objective_metrics", "invalid"),
        ({"diagnostics": ["mrr@5", "mrr@5:macro"]}, "body.diagnostics", "invalid"),
        ({"preset": "rmse", "metric": "ndcg@10"}, "metric", "unknown-metric"),
        ({"preset": "rmse", "diagnostics": ["mrr@5"]}, "diagnostics.0", "unknown-metric"),
        ({"preset": "rmse", "missing_rows": "zero"}, "body.missing_rows", "invalid"),
        ({"preset": "rmse", "objectives": {"a": 1, "b": 1}}, "body.objectives", "invalid"),
    ],
    ids=str,
)
def test_a_metric_that_cannot_be_used_is_named_with_its_place(
    installation: Installation, change: dict[str, Any], column: str, code: str
) -> None:
    body = {"slug": "otto", "title": "OTTO"} | change
    problem = problem_of(installation.admin.post("/admin/competitions", json=body), 422, code)
    assert problem["errors"][0]["column"] == column
    assert installation.admin.get("/competitions").json()["items"] == []


def test_a_draft_changes_its_metrics_freely_and_all_or_nothing(installation: Installation) -> None:
    route = "/admin/competitions/otto"
    installation.draft(objective_metrics={"orders": "ndcg@5"}, diagnostics=["mrr@20"])

    def patched(**change: Any) -> Any:
        answer = installation.admin.patch(route, json=change)
        assert answer.status_code == 200, answer.text
        made = answer.json()
        ids = {name: metric["full_id"] for name, metric in made["objective_metrics"].items()}
        return made["metric"]["full_id"], ids

    orders = {"orders": "ndcg@5"}
    otto = "recall_capped@20:micro"
    assert patched(metric={"k": 10}) == (
        "recall_capped@10:micro",
        dict.fromkeys(("clicks", "carts"), "recall_capped@10:micro") | orders,
    )
    assert patched(metric={"name": "map", "k": 7})[0] == "map@7"
    assert patched(metric=otto, objectives={"clicks": 2, "orders": 1})[1] == {
        "clicks": otto,
        "orders": "ndcg@5",
    }
    assert patched(objectives={"clicks": {"weight": 1, "metric": "mrr@3"}, "orders": 1})[1] == {
        "clicks": "mrr@3",
        "orders": "ndcg@5",
    }
    # An objective that is gone takes its metric with it.
    assert patched(objectives={"clicks": 1}) == ("mrr@3", {"clicks": "mrr@3"})
    assert patched(objectives={"clicks": 1, "orders": 1})[1] == {"clicks": "mrr@3", "orders": otto}
    for wrong in ({"k": 0}, "wizardry@5", {"name": "ndcg", "k": 5, "average": "micro"}):
        answer = installation.admin.patch(route, json={"title": "Two", "metric": wrong})
        assert answer.status_code == 422, answer.text
        assert answer.json()["errors"][0]["column"].startswith("metric")
    assert installation.admin.get("/competitions/otto").json()["title"] == "OTTO"


def test_a_preset_is_where_the_given_members_start_from(installation: Installation) -> None:
    made = installation.draft("films", preset="ndcg@10", metric={"k": 5}, daily_limit=3)
    assert made["metric"]["full_id"] == "ndcg@5"
    assert (made["objectives"], made["id_column"]) == ({"items": 1.0}, "user")
    again = installation.draft("more", preset="map@12", objectives={"a": 1, "b": 2})
    assert again["objectives"] == {"a": 1.0, "b": 2.0}
    assert {metric["id"] for metric in again["objective_metrics"].values()} == {"map@12"}


def test_a_competition_says_what_its_metrics_mean(installation: Installation) -> None:
    made = installation.draft(
        objectives={"clicks": 1, "carts": {"weight": 2, "metric": "ndcg@5"}},
        diagnostics=["recall@20:micro"],
    )
    assert made["metric"] == {
        "id": "recall_capped@20",
        "full_id": "recall_capped@20:micro",
        "name": "recall_capped",
        "k": 20,
        "average": "micro",
        "formula": "hits among the first 20 items / min(20, relevant items); numerators and"
        " denominators are summed first, over all queries that have a relevant item",
        "source": "OTTO, KAGGLE.md (micro); BEIR R_cap (macro)",
        "higher_is_better": True,
    }
    assert made["objectives"] == {"clicks": 1.0, "carts": 2.0}
    assert made["objective_metrics"]["carts"]["id"] == "ndcg@5"
    assert made["objective_metrics"]["clicks"] == made["metric"]
    assert [metric["full_id"] for metric in made["diagnostics"]] == ["recall@20:micro"]


def test_settings_that_an_older_version_stored_mean_what_they_meant(
    installation: Installation,
) -> None:
    installation.draft()
    with installation.application.database.write() as session:
        competition = session.query(Competition).one()
        competition.settings = ARCHIVED
    seen = installation.admin.get("/competitions/otto").json()
    assert seen["metric"]["full_id"] == "recall_capped@10:micro"
    assert seen["objectives"] == {"clicks": 0.1, "carts": 0.3, "orders": 0.6}
    assert seen["diagnostics"] == []
    assert (seen["query_ids"], seen["settings"]["rules"]) == ("integer", "")
    # What is read is also valid to send back.
    settings = {name: value for name, value in seen["settings"].items() if name != "rules"}
    answer = installation.admin.patch("/admin/competitions/otto", json=settings)
    assert (answer.status_code, answer.json()["version"]) == (200, seen["version"])
