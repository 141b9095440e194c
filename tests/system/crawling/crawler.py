"""A visitor who begins at `/` and opens everything that is linked, but sends no form that
writes."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urlsplit

from tests.builders.page import HERE, Browser
from tests.system.crawling.markup import Reference, references_of

MAX_PAGES = 4_000
"""More than there are; a crawl that comes so far runs in a circle that grows."""

NAMES = re.compile(r"(?<=/competitions/)[^/]+|(?<=/organize/)[^/]+|[0-9a-f]{8}-[0-9a-f-]{27}")
"""The parts of a path that name what a page is about."""

ELSEWHERE = "http://elsewhere.example"
"""A page of this origin may send no form, so whatever asks in its name changes nothing."""


@dataclass
class Crawl:
    """The outcome of a crawl. `dead` names each refusal, with the page that led there."""

    opened: dict[str, int] = field(default_factory=dict)
    asked: set[tuple[str, str]] = field(default_factory=set)
    dead: list[str] = field(default_factory=list)


class Crawler:
    """Follows everything within the installation. Each value of each parameter is asked for once of
    a kind of page, whichever competition it is of, and not all of them with each other."""

    def __init__(self, browser: Browser, *, refusals: dict[str, set[int]]) -> None:
        self._browser = browser
        self._refusals = refusals
        self._ids: dict[str, set[str] | None] = {}
        self._fragments: list[tuple[str, str, str]] = []
        self._asked: set[tuple[str, ...]] = set()
        self.crawl = Crawl()

    def go(self, *starts: str) -> Crawl:
        """Opens these addresses and all that can be reached from them."""
        waiting = deque((Reference("GET", HERE + start), "the start") for start in starts)
        while waiting:
            reference, held_by = waiting.popleft()
            address, fragment = urldefrag(reference.address)
            if not address.startswith(HERE + "/") and address != HERE:
                continue
            if fragment and reference.method == "GET":
                self._fragments.append((address, fragment, held_by))
            reference = Reference(reference.method, address)
            if self._is_new(reference):
                assert len(self.crawl.opened) < MAX_PAGES, f"no end: {address}, on {held_by}"
                waiting.extend((found, address) for found in self._follow(reference, held_by))
        self._look_for_fragments()
        return self.crawl

    def _is_new(self, reference: Reference) -> bool:
        path, _, query = reference.address.partition("?")
        pairs = parse_qsl(query, keep_blank_values=True)
        page = NAMES.sub("…", path) if pairs else path
        asked = {(reference.method, page, *pair) for pair in pairs or [("", "")]}
        is_new = not asked <= self._asked
        self._asked |= asked
        return is_new

    def _follow(self, reference: Reference, held_by: str) -> list[Reference]:
        path = reference.address.removeprefix(HERE)
        if reference.method != "GET":
            self._try(reference.method, path, held_by)
            return []
        answer = self._browser.get(path)
        self.crawl.opened[path] = answer.status_code
        self._ids[reference.address] = None
        if answer.status_code >= 400:
            self._note(answer, "GET", path, held_by)
            return []
        if answer.is_redirect:
            return [Reference("GET", str(answer.next_request.url))]
        kind = answer.headers.get("content-type", "")
        found, self._ids[reference.address] = references_of(reference.address, kind, answer.text)
        return found

    def _try(self, method: str, path: str, held_by: str) -> None:
        """Checks that a form's address takes forms: a stranger's form is refused only there, before
        anything is done."""
        headers = {"Origin": ELSEWHERE}
        answer = self._browser.client.request(method, path, headers=headers)
        self.crawl.asked.add((method, urlsplit(path).path))
        if answer.status_code != 403:
            self._note(answer, method, path, held_by)

    def _note(self, answer: Any, method: str, path: str, held_by: str) -> None:
        if answer.status_code in self._refusals.get(urlsplit(path).path, ()):
            return
        message = " ".join(answer.text.split())[-120:] if answer.status_code >= 500 else ""
        self.crawl.dead.append(
            f"{method} {path} answers {answer.status_code}; {held_by.removeprefix(HERE)} has it"
            f" {message}".rstrip()
        )

    def _look_for_fragments(self) -> None:
        for address, fragment, held_by in self._fragments:
            ids = self._ids.get(address)
            if ids is not None and fragment not in ids:
                self.crawl.dead.append(f"{address}#{fragment}: no such place; {held_by} has it")
