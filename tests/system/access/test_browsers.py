"""The permissions of a signed-in browser: what other sites can do by it, and what it and caches may
keep."""

from __future__ import annotations

import pytest

from tests.builders.access.good_requests import request_of
from tests.builders.access.operations import Operation
from tests.builders.access.rules_organizing import ALL_PAGES
from tests.builders.access.stage import Stage
from tests.builders.page import HERE, Browser

# One installation for all tests of this file.
pytestmark = pytest.mark.xdist_group("browsers")

ELSEWHERE: tuple[dict[str, str], ...] = (
    {"Origin": "https://evil.example"},
    {"Origin": "http://testserver.evil.example"},
    {"Origin": "http://testserver:81"},
    {"Origin": "null"},
    {"Origin": ""},
    {},
)
"""Headers of a browser on pages that are not ours; none at all is no better."""

KEPT = ("no-cache", "public, max-age=300")
"""Answers that may be cached: pages that are the same for all, revalidated each time, and files
that are a part of the service."""

SAME_FOR_EVERYBODY = {
    "/static/{name}",
    "/static/{release}/{name}",
    "/competitions/{slug}/leaderboard",
    "/competitions/{slug}/charts",
}


def _browser(stage: Stage, role: str) -> Browser:
    browser = Browser(stage.installation.client.app)
    token = stage.people[role].token
    if token is not None:
        browser.sign_in(token)
    return browser


def _pages(stage: Stage) -> list[tuple[str, str, str]]:
    """Method, path and address of every page."""
    objects = {**stage.objects, "name": "podium.css", "release": "0", "kind": "items"}
    named = (name.split() for name in ALL_PAGES)
    return [(method, path, path.format(**objects)) for method, path in named]


def test_no_other_site_has_a_browser_write_anything(
    stage: Stage, operations: list[Operation]
) -> None:
    browser = _browser(stage, "administrator")
    before, refused = stage.content(), set()
    for operation in operations:
        if operation.method == "GET":
            continue
        for origin in ELSEWHERE:
            request = request_of(operation, "administrator", stage.objects)
            request["headers"] = request.get("headers", {}) | origin
            address = operation.address(stage.objects)
            answer = browser.client.request(operation.method, address, **request)
            refused.add((answer.status_code, answer.json()["code"]))
    for method, _, address in _pages(stage):
        if method != "GET":
            answers = [browser.client.request(method, address, headers=one) for one in ELSEWHERE]
            assert {answer.status_code for answer in answers} == {403}, address
    assert refused == {(403, "foreign-origin")}
    assert stage.content() == before
    own = browser.client.patch(
        "/api/v1/admin/competitions/otto", json={"title": "Ours"}, headers={"Origin": HERE}
    )
    assert own.status_code == 200


@pytest.mark.parametrize("role", ["anonymous", "member", "administrator"])
def test_nothing_that_is_for_one_visitor_is_kept_on_the_way(stage: Stage, role: str) -> None:
    browser = _browser(stage, role)
    for method, path, address in _pages(stage):
        if method == "GET":
            headers = browser.get(address).headers
            may_be_kept = path in SAME_FOR_EVERYBODY and (
                role == "anonymous" or path.startswith("/static/")
            )
            assert (headers["cache-control"] in KEPT) == may_be_kept, path
            assert may_be_kept or headers["cache-control"] == "no-store", path
            if headers["cache-control"] == "no-cache":
                assert {"Authorization", "Cookie"} <= set(headers["vary"].split(", ")), path
            assert headers["x-frame-options"] == "DENY"
