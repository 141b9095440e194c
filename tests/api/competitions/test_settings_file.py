"""The settings of a competition as a file that can be kept and sent again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from podium.cli.offline.described import settings_in
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import task_of
from tests.builders.installation import Installation, problem_of

FILE = "/admin/competitions/otto/settings.yaml"

TEXTS: dict[str, Any] = {
    "description": "# Otto\n\nFind what *they* click: 1 & 2.\n",
    "rules": "no: yes\n- on\n",
    "starts_at": "2030-01-02T03:04:05Z",
    "ends_at": "2031-01-02T03:04:05Z",
}


def test_a_competition_made_of_the_file_is_the_same_again(installation: Installation) -> None:
    metrics: dict[str, Any] = {
        "objectives": {"clicks": 0.1, "carts": {"weight": 0.35, "metric": "ndcg@5"}}
    }
    installation.draft(**TEXTS, **metrics, diagnostics=["mrr@7"], total_limit=40)
    answer = installation.admin.get(FILE)
    assert answer.headers["content-type"] == "application/yaml"
    assert answer.headers["content-disposition"].startswith("attachment")
    members = yaml.safe_load(answer.text)
    assert members["objectives"] == {"clicks": 0.1, "carts": 0.35}
    made = installation.admin.post("/admin/competitions", json={**members, "slug": "again"})
    assert made.status_code == 201, made.text
    again = installation.admin.get("/admin/competitions/again/settings.yaml").text
    assert again.replace("slug: again", "slug: otto") == answer.text


def test_every_description_of_a_competition_tells_how_to_score_at_home(
    installation: Installation, tmp_path: Path
) -> None:
    installation.draft(
        objectives={"view": 0.1, "buy": {"weight": 0.35, "metric": "ndcg@5"}},
        metric="recall@7:micro",
        diagnostics=["mrr@7"],
        missing_rows="zero",
        item_ids="string",
    )
    told = installation.admin.get("/competitions/otto").json()
    settings = CompetitionSettings.model_validate(told.pop("settings"))
    # Without what organizers see besides, it is the document that everybody sees.
    files = {"all.json": json.dumps(told), "file.yaml": installation.admin.get(FILE).text}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert task_of(settings_in(tmp_path / name)) == task_of(settings), name


def test_the_file_can_be_sent_as_a_change(installation: Installation) -> None:
    installation.draft()
    members = yaml.safe_load(installation.admin.get(FILE).text)
    del members["slug"]
    before = installation.admin.get("/competitions/otto").json()
    changed = installation.admin.patch("/admin/competitions/otto", json=members)
    assert changed.status_code == 200, changed.text
    assert changed.json()["settings"] == before["settings"]


def test_texts_of_several_lines_are_written_as_they_are_read(installation: Installation) -> None:
    installation.draft(**TEXTS)
    text = installation.admin.get(FILE).text
    assert "description: |\n  # Otto\n\n  Find what *they* click: 1 & 2.\n" in text
    assert "&id" not in text


def test_the_file_is_for_organizers(installation: Installation) -> None:
    installation.launched()
    problem_of(installation.person("ada").get(FILE), 404, "not-found")
    problem_of(installation.anonymous.get(FILE), 401, "not-authenticated")
