"""A competition whose add-on is missing here: it opens, shows its board, and is not judged."""

from __future__ import annotations

import re
from typing import Any

import pytest

from podium.core.lookups import lacking_add_ons
from podium.core.models import Competition as Stored
from tests.builders.competing import Competition
from tests.builders.installation import ADMIN_TOKEN, Installation, problem_of
from tests.builders.season import until

TRUTH = "id,price,Usage\n1,100,Public\n2,200,Public\n3,300,Private\n4,400,Private\n"
FILE = "id,price\n1,101\n2,201\n3,301\n4,401\n"

SETTINGS: dict[str, Any] = {
    "task": "table",
    "id_column": "id",
    "objectives": {"price": 1},
    "metric": "rmse",
    "diagnostics": ["mae"],
    "table_columns": [{"name": "price"}],
}

METRIC = {"metric": {"name": "podium_acme__rmse_error", "k": None, "average": "macro"}}
KIND = {**METRIC, "task": "podium_acme__prices", "objectives": {"price": "1", "area": "2"}}


@pytest.fixture
def competition(judging: Installation) -> Competition:
    competition = Competition.opened(judging, TRUTH, **SETTINGS)
    assert competition.judged(competition.team(), FILE)["public_score"] == 1
    return competition


def loses(competition: Competition, changed: dict[str, Any]) -> None:
    """Stores settings as an installation with the add-on has made them."""
    with competition.installation.application.database.write() as session:
        stored = session.query(Stored).filter(Stored.slug == competition.slug).one()
        stored.settings = {**stored.settings, **changed}


def pages_of(competition: Competition) -> dict[str, int]:
    """The status of each page, and each document, that its administrator's pages lead to."""
    client = competition.installation.client
    client.post("/sign-in", data={"token": ADMIN_TOKEN})
    found: dict[str, int] = {}
    todo = [f"/competitions/{competition.slug}", f"/organize/{competition.slug}"]
    while todo:
        path = todo.pop()
        answer = client.get(path)
        found[path] = answer.status_code
        if "text/html" in answer.headers["content-type"]:
            links = re.findall(rf'href="(/[^"#]*{competition.slug}[^"#]*)"', answer.text)
            todo += [each for each in dict.fromkeys(links) if each not in {*found, *todo}]
    return found


@pytest.mark.parametrize("changed", [METRIC, KIND], ids=["metric", "kind"])
def test_it_opens_and_what_would_need_the_add_on_is_refused_with_its_name(
    competition: Competition, changed: dict[str, Any]
) -> None:
    admin, team = competition.installation.admin, competition.team()
    loses(competition, changed)
    assert competition.board("public") == [(1, 1.0)]
    statuses = pages_of(competition)
    assert len(statuses) > 20
    sample = f"/api/v1/competitions/{competition.slug}/sample-submission"
    refused = {path: status for path, status in statuses.items() if status != 200}
    assert refused in ({sample: 503}, {})
    route = f"/admin/competitions/{competition.slug}"
    truth = admin.post(f"{route}/ground-truth", content=TRUTH.replace("300", "310").encode())
    assert "needs the add-on podium-acme" in truth.json()["detail"]

    sent = team.post(f"/competitions/{competition.slug}/submissions", content=FILE.encode())
    path = f"/submissions/{sent.json()['id']}"
    sleeping = competition.installation.application.database
    with sleeping.read() as session:
        assert list(lacking_add_ons(session).values()) == [["podium-acme"]]
    assert team.get(path).json()["status"] == "queued"
    loses(competition, {"metric": SETTINGS["metric"], "task": "table", "objectives": {"price": 1}})
    until(lambda: team.get(path).json()["status"] == "scored")


def test_a_new_competition_cannot_need_it(judging: Installation) -> None:
    body = {"slug": "acme", "title": "Acme", **SETTINGS, "metric": "podium_acme__rmse_error"}
    refused = judging.admin.post("/admin/competitions", json=body)
    (found,) = problem_of(refused, 422, "unknown-metric")["errors"]
    assert found["detail"] == (
        "podium_acme__rmse_error needs the add-on podium-acme, which PODIUM_ADD_ONS does not name"
        " here"
    )
