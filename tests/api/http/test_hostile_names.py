"""Names and texts that people choose are text on every page, whatever they look like."""

from __future__ import annotations

import pytest
from markupsafe import escape

from tests.builders.page import Page
from tests.builders.site import Site

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    '" autofocus onfocus="alert(1)',
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;script&gt;",
    "javascript:alert(1)",
    "-->]]><x y=z>",
    "`${alert(1)}`",
]

Seen = dict[str, list[tuple[str, tuple[str, ...]]]]
"""The tags of pages, with the names of their attributes."""


@pytest.fixture(scope="module", autouse=True)
def otto(site: Site) -> None:
    site.installation.launched("otto", rules="")


def seen(site: Site, name: str) -> Seen:
    """All pages of a user of that name."""
    person = site.installation.person(name)
    browser = site.browser(person)
    browser.send("/account", act="token", label=name)
    made = browser.send("/competitions/otto/team", act="create", name=name)
    assert made.status_code == 303, made.text
    answers = {
        "list": browser.get("/", params={"q": name, "cursor": ""}),
        "account": browser.get("/account"),
        "team": browser.get("/competitions/otto/team"),
        "overview": browser.get("/competitions/otto"),
        "refused": browser.send("/competitions/otto/team", act="ask", team=name),
        "sign-in": site.browser().send("/sign-in", name=name, password="x" * 10, next=name),
        "join": site.browser(person).get("/competitions/otto/team", params={"code": name}),
    }
    for page in ("account", "team", "refused"):
        assert escape(name) in answers[page].text, page
    return {
        page: [(tag, tuple(sorted(attrs))) for tag, attrs in Page(answer.text).tags]
        for page, answer in answers.items()
    }


@pytest.fixture(scope="module")
def of_a_plain_name(site: Site, otto: None) -> Seen:
    return seen(site, "harmless")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_changes_no_tag_of_any_page(
    site: Site, of_a_plain_name: Seen, name: str
) -> None:
    assert seen(site, name) == of_a_plain_name
