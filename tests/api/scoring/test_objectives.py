"""Objectives with metrics of their own, diagnostics, and who sees what of them."""

from __future__ import annotations

from typing import Any

import pytest

from podium.scoring.metrics import RANK_METRICS
from tests.builders.competing import Competition
from tests.builders.installation import Installation, problem_of
from tests.builders.scoring.queries import id_at

MAX_OBJECTIVES = 16

TRUTH = (
    "id,labels,Usage\n"
    "1_views,3,Public\n1_buys,2 3,Public\n2_views,4,Public\n2_buys,,Public\n"
    "3_views,5,Private\n3_buys,6,Private\n"
)
FILE = "id,labels\n1_views,9 3\n1_buys,2 9 3\n2_views,4\n2_buys,1\n3_views,9\n3_buys,6\n"
SETTINGS: dict[str, Any] = {
    "objectives": {"views": {"weight": 1, "metric": "mrr@5"}, "buys": 3},
    "metric": "precision@2",
    "diagnostics": ["recall@2:micro", "hit_rate@1"],
    "id_column": "id",
}
"""By hand, public: views (1/2 + 1) / 2 = 3/4, buys 1/2: 3/4 + 3 · 1/2 = 2.25.
Private: views 0, buys 1/2: 1.5. Recall, micro, public: views 2/2, buys 1/2, so 2.5; private: 0 and
1, so 3. A hit in the first place, public: 1/2 and 1, so 3.5; private: 0 and 1, so 3."""

DIAGNOSTICS = {
    "recall@2:micro": {"public": 2.5, "private": 3.0},
    "hit_rate@1": {"public": 3.5, "private": 3.0},
}


def test_each_objective_is_scored_by_its_own_metric(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, objective_scores="always", **SETTINGS)
    team = competition.team()
    seen = competition.judged(team, FILE)
    assert seen["public_score"] == 2.25
    assert seen["objectives"] == {
        "views": {"public": 0.75, "private": None},
        "buys": {"public": 0.5, "private": None},
    }
    assert seen["diagnostics"] == {
        name: {"public": both["public"], "private": None} for name, both in DIAGNOSTICS.items()
    }
    assert (seen["standard_error"], seen["diagnostic_errors"]) == (None, None)

    managed = judging.admin.get(f"/submissions/{seen['id']}").json()
    assert (managed["private_score"], managed["diagnostics"]) == (1.5, DIAGNOSTICS)
    # Session 1 lies (1/2 − 3/4) / 2 from the mean of two views; buys have a single session.
    assert managed["standard_error"] == {
        "public": pytest.approx((2 * 2 * 0.125**2) ** 0.5),
        "private": None,
    }
    assert managed["diagnostic_errors"].keys() == DIAGNOSTICS.keys()

    competition.reveal()
    after = team.get(f"/submissions/{seen['id']}").json()
    for name in ("diagnostics", "standard_error", "diagnostic_errors", "private_score"):
        assert after[name] == managed[name]


@pytest.mark.parametrize("objective_scores", ["organizers", "after_reveal"])
def test_diagnostics_are_seen_by_those_who_see_objectives(
    judging: Installation, objective_scores: str
) -> None:
    competition = Competition.opened(judging, TRUTH, objective_scores=objective_scores, **SETTINGS)
    team = competition.team()
    seen = competition.judged(team, FILE)
    hidden = ("objectives", "diagnostics", "standard_error", "diagnostic_errors")
    assert [seen[name] for name in hidden] == [None] * 4
    listed = team.get(f"/competitions/{competition.slug}/submissions").json()["items"]
    assert [listed[0][name] for name in hidden] == [None] * 4
    competition.reveal()
    after = team.get(f"/submissions/{seen['id']}").json()
    assert (after["diagnostics"] is None) is (objective_scores == "organizers")
    assert (after["diagnostic_errors"] is None) is (objective_scores == "organizers")
    # How sure the final score is is everybody's from now on.
    assert after["standard_error"] is not None


@pytest.mark.parametrize("half", [0, 1])
def test_a_competition_by_every_rank_metric_can_be_launched_and_scored(
    judging: Installation, half: int
) -> None:
    names = sorted(RANK_METRICS)[half::2]
    assert len(names) <= MAX_OBJECTIVES
    objectives = {name.replace("_", "-"): {"weight": 1, "metric": id_at(name, 3)} for name in names}
    rows = [
        f"{user}_{objective},{user + 1} {user} 77,{usage}"
        for user, usage in ((1, "Public"), (2, "Public"), (3, "Private"))
        for objective in objectives
    ]
    truth = "\n".join(["session_type,labels,Usage", *rows]) + "\n"
    competition = Competition.opened(
        judging,
        truth,
        objectives=objectives,
        diagnostics=[id_at(name, 2) for name in names],
        objective_scores="always",
    )
    checklist = {check["code"]: check["status"] for check in competition.launched["checklist"]}
    assert checklist["perfect-file"] == checklist["empty-file"] == "passed"
    file = "\n".join(["session_type,labels", *(row.rsplit(",", 1)[0] for row in rows)]) + "\n"
    seen = competition.judged(competition.team(), file)
    assert len(seen["diagnostics"]) == len(names)
    perfect = {name for name, both in seen["objectives"].items() if both["public"] == 1}
    bounded = {name.replace("_", "-") for name in names if RANK_METRICS[name].is_bounded}
    assert perfect >= bounded


def test_after_the_launch_metrics_change_only_by_a_rejudging(judging: Installation) -> None:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    route = f"/admin/competitions/{competition.slug}"
    changes: list[dict[str, Any]] = [
        {"metric": "recall@2"},
        {"objective_metrics": {}},
        {"objectives": {"views": {"weight": 1, "metric": "ndcg@5"}, "buys": 3}},
        {"diagnostics": ["mrr@5"]},
    ]
    for change in changes:
        problem_of(judging.admin.patch(route, json=change), 409, "needs-rejudging")
    same = {"objectives": {"views": {"weight": 1, "metric": "mrr@5"}, "buys": 3}}
    assert judging.admin.patch(route, json=same).status_code == 200


def test_the_registry_is_listed_for_everybody(judging: Installation) -> None:
    listed = judging.anonymous.get("/metrics").json()["items"]
    assert {metric["name"] for metric in listed} >= set(RANK_METRICS)
    by_name = {metric["name"]: metric for metric in listed}
    capped = dict(by_name["recall_capped"])
    assert "Source" in capped.pop("definition") or capped["source"]
    assert capped.pop("about")["example"]["value"] == 0.33333
    assert capped == {
        "name": "recall_capped",
        "id": "recall_capped@K",
        "kind": "rank",
        "averages": ["macro", "micro"],
        "higher_is_better": True,
        "is_bounded": True,
        "ranks": True,
        "formula": "hits among the first K items / min(K, relevant items)",
        "source": "OTTO, KAGGLE.md (micro); BEIR R_cap (macro)",
        "needs": [],
        "presets": ["otto"],
    }
    assert by_name["mrr"]["presets"] == ["otto-clicks", "recsys-2022", "kdd-cup-2023"]
    presets = {one["name"]: one for one in judging.anonymous.get("/presets").json()["items"]}
    assert presets["otto-clicks"]["metric"]["full_id"] == "recall@20"
    assert [one["id"] for one in presets["otto-clicks"]["diagnostics"]] == ["mrr@20"]
    assert presets["h-and-m"]["settings"]["item_ids"] == "string"
