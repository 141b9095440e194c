"""Pages are rendered beside the event loop, which answers other requests meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from podium.boards.pages import charts
from podium.http.html.rendering import templates
from tests.builders.site import Site


def is_in_event_loop() -> bool:
    """True if this thread runs one, so that no other request is answered until it goes on."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def noting(seen: list[bool], work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work; `seen` gets whether it was done in an event loop."""

    def work_and_note(*given: Any, **named: Any) -> Any:
        seen.append(is_in_event_loop())
        return work(*given, **named)

    return work_and_note


@pytest.mark.parametrize("is_signed_in", [True, False])
@pytest.mark.parametrize("page", ["leaderboard", "charts"])
def test_making_a_page_keeps_no_other_request_waiting(
    site: Site, monkeypatch: pytest.MonkeyPatch, page: str, is_signed_in: bool
) -> None:
    slug, seen = f"{page}-{'own' if is_signed_in else 'any'}", list[bool]()
    site.installation.launched(slug)
    person = site.installation.person(slug) if is_signed_in else None
    browser = site.browser(person)
    asset: Any = templates.env.globals["asset"]
    monkeypatch.setitem(templates.env.globals, "asset", noting(seen, asset))
    monkeypatch.setattr(charts, "drawn", noting(seen, charts.drawn))
    answer = browser.get(f"/competitions/{slug}/{page}")
    assert answer.status_code == 200
    assert set(seen) == {False}
