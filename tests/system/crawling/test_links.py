"""No link of a page leads nowhere: every role opens all that it finds, from `/` on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.builders.access.operations import undescribed
from tests.builders.access.truths import judging, serving
from tests.builders.installation import Installation
from tests.builders.page import HERE, Browser
from tests.builders.sandbox.in_process import InProcess
from tests.system.crawling.competitions import Cast, played, send_another
from tests.system.crawling.crawler import Crawl, Crawler
from tests.system.crawling.markup import Document

# One installation for all tests of this file, and some 1,700 requests.
pytestmark = [pytest.mark.xdist_group("crawling"), pytest.mark.timeout(1200)]

ROLES = (
    "anonymous",
    "without a team",
    "in a team",
    "organizer",
    "organizer of nothing",
    "administrator",
)

SENT = ("/links/{code}",)
"""Addresses that people are sent, so that no page links to them; a crawl begins there as well."""

REFUSALS: dict[str, set[int]] = {"/readyz": {503}}
"""Further statuses that a linked address may answer, and why: the server is not ready at times."""

UNLINKED = {
    "/competitions": "people guess it, and it leads to the list",
    "/sign-up/requests/{code}": "where somebody is led who asked for an account",
    "/sign-up/sent": "where somebody is led who asked for a link by mail",
    "/forgot-password": "linked where mail is set, as in test_forgotten_password.py",
    "/forgot-password/sent": "where that form leads to",
    "/mail-links/{code}": "sent by mail",
    "/problems/{code}": "where the problem documents of refusals lead",
    "/sign-in/elsewhere": "linked where a provider is named, as in test_sign_in_elsewhere.py",
    "/sign-in/elsewhere/back": "where that provider leads back to",
    "/static/{name}": "for pages that somebody kept; ours name the release too",
    "/redoc": "the same as /docs in another form",
    "/static-offline-docs": "a folder; what is in it is linked",
    "/competitions/{slug}/metric": "linked for tables that a metric of their own scores",
    "/organize/{slug}/metric": "linked for tables, as in test_custom_metrics.py of the browser",
    "/organize/{slug}/metric/{version}": "linked from there",
}
"""Pages that no page leads to, with the reason."""


@dataclass
class Stage:
    """All competitions, and what those who crawled them so far have met."""

    installation: Installation
    cast: Cast
    _crawls: dict[str, Crawl] = field(default_factory=dict)

    def crawl(self, role: str) -> Crawl:
        """The crawl of this role."""
        if role not in self._crawls:
            browser, token = Browser(self.installation.client.app), self.cast.people[role].token
            if token is not None:
                browser.sign_in(token)
            starts = [address.format(code=self.cast.code) for address in SENT]
            self._crawls[role] = Crawler(browser, refusals=REFUSALS).go("/", *starts)
        return self._crawls[role]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, migrated_sqlite_file: Path) -> Iterator[Stage]:
    """Everything is played; no worker judges any more."""
    folder = tmp_path_factory.mktemp("crawling") / "data"
    with serving(folder, migrated_sqlite_file, InProcess(), signup="approval") as installation:
        with judging(installation):
            cast = played(installation)
        send_another(cast)
        yield Stage(installation, cast)


@pytest.mark.parametrize("role", ROLES)
def test_everything_that_is_linked_is_there(stage: Stage, role: str) -> None:
    assert not stage.crawl(role).dead, "\n".join(stage.crawl(role).dead)


def test_every_page_is_linked_from_somewhere(stage: Stage) -> None:
    opened = {address.partition("?")[0] for role in ROLES for address in stage.crawl(role).opened}
    described = undescribed(stage.installation.client.app)
    pages = {one.removeprefix("GET ") for one in described if one.startswith("GET ")}
    assert {route for route in pages if not any(_is_at(route, one) for one in opened)} == set(
        UNLINKED
    )


def _is_at(route: str, address: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", route), address) is not None


def test_the_crawler_sees_what_a_menu_hides_and_where_a_button_leads() -> None:
    document = Document(
        HERE + "/a/b",
        """<details><summary>More</summary><a href="c">C</a></details>
        <form method="post" action="/d"><button formaction="/e" name="x">E</button></form>
        <form><select name="s"><option selected value="1"><option value="2"></select></form>
        <form method="post" id="f" action="/g"></form><button form="f" formaction="/h">H</button>
        <img srcset="/i 1x, /j 2x"><div data-upload="/k" data-method="PUT"></div>
        <style>@import "/l"; body { background: url(/m) }</style>""",
    )
    found = {(one.method, one.address.removeprefix(HERE)) for one in document.references}
    assert found == {
        ("GET", "/a/c"),
        *(("POST", f"/{letter}") for letter in "degh"),
        ("GET", "/a/b?s=1"),
        ("GET", "/a/b?s=2"),
        *(("GET", f"/{letter}") for letter in "ijlm"),
        ("PUT", "/k"),
    }
