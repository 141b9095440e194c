"""The settings of a competition as a file that can be kept and sent again."""

from __future__ import annotations

from typing import Any

import yaml

from tests.functional.api.installation import Installation, problem_of

FILE = "/admin/competitions/otto/settings.yaml"

TEXTS: dict[str, Any] = {
    "description": "# Otto\n\nFind what *they* click: 1 & 2.\n",
    "rules": "no: yes\n- on\n",
    "starts_at": "2030-01-02T03:04:05Z",
    "ends_at": "2031-01-02T03:04:05Z",
}


def test_a_competition_made_of_the_file_is_the_same_again(installation: Installation) -> None:
    metrics = {"objectives": {"clicks": 0.1, "carts": {"weight": 0.35, "metric": "ndcg@5"}}}
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
    problem_of(installation.nobody.get(FILE), 401, "not-authenticated")
