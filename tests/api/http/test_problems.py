"""The addresses of problem documents lead to an explanation, for people and for programs."""

from __future__ import annotations

from html import unescape

import pytest

from podium.core.problems import meanings
from tests.builders.site import Site

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_the_type_of_a_refusal_leads_to_its_explanation(site: Site) -> None:
    refusal = site.installation.client.get("/api/v1/competitions/none").json()
    answer = site.installation.client.get(refusal["type"]).json()
    assert [one["code"] for one in answer["items"]] == ["not-found"]
    assert answer["items"][0]["statuses"] == [404]


def test_every_code_has_a_page(site: Site) -> None:
    for meaning in meanings():
        page = site.installation.client.get(f"/problems/{meaning.code}", headers=BROWSER)
        assert page.status_code == 200
        assert meaning.title in unescape(page.text)
        assert "Accept" in page.headers["vary"].split(", ")


def test_a_code_of_requests_and_files_is_explained_as_both(site: Site) -> None:
    items = site.installation.client.get("/problems/bad-label").json()["items"]
    assert [one["place"] for one in items] == ["request", "file"]


def test_the_list_links_every_code(site: Site) -> None:
    page = site.installation.client.get("/problems", headers=BROWSER).text
    assert all(f'href="/problems/{one.code}"' in page for one in meanings())
    items = site.installation.client.get("/problems").json()["items"]
    assert len(items) == len(list(meanings()))


@pytest.mark.parametrize("headers", [BROWSER, {"Accept": "application/json"}])
def test_an_unknown_code_is_not_found(site: Site, headers: dict[str, str]) -> None:
    answer = site.installation.client.get("/problems/no-such-code", headers=headers)
    assert answer.status_code == 404
    assert "GET /problems lists all of them" in answer.text
