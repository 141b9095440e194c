"""Everything that a viewer gets to see of a competition, with what may differ taken out."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.builders.access.family import RELEASED_DIAGNOSTIC
from tests.builders.access.operations import Operation, operations_of
from tests.builders.access.truths import SLUG
from tests.builders.installation import API, Installation, Person

Seen = dict[str, str]
"""Answers as text, by who asked for what."""

UNEQUAL_BY_CHANCE = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"), "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?"), "<time>"),
    (re.compile(r"\d\d? [A-Z][a-z]{2}( \d{4})?, \d\d:\d\d"), "<time>"),
    (re.compile(r'"invite_code":"[^"]+"'), '"invite_code":"<code>"'),
    (re.compile(r"^id: [0-9a-f]{16}$", re.MULTILINE), "id: <event>"),
    (
        re.compile(r'"(commitment|signature|key_id|public_key|current)":"[0-9a-f]+"'),
        r'"\1":"<key>"',
    ),
    (re.compile(r'W/"[0-9a-f]{32}"'), "<page>"),
    (re.compile(r"\.a\d{10}\b"), ".<moment>"),
    (re.compile(r"\bmax-age=\d+(?=\nupload-offset:)"), "max-age=<left>"),
]
"""Ids, times, invite codes, what is made with keys of the installation or of the competition,
fingerprints of any of it or of whole pages, and the seconds that an upload has left."""

RELEASED = [
    (re.compile(r'"(public_score|score)":"?-?\d[\d.e+-]*"?'), r'"\1":"<score>"'),
    (re.compile(rf'"{RELEASED_DIAGNOSTIC}":(\{{"public":)?-?\d[\d.e+-]*'), "<diagnostic>"),
    (re.compile(r"\b\d\.\d{5}\b"), "<score>"),
    (
        re.compile(r'"best":\[.*?\],"spread":\[.*?\],"ranks":\[.*?\](?=,"own")'),
        '"charts":"<scores>"',
    ),
    (re.compile(r'<svg class="chart".*?</svg>', re.DOTALL), "<scores>"),
]
"""Public scores, and diagnostics that a board shows beside them: in JSON as numbers or digits, with
all their digits in CSV and on pages, and what charts make of them: lines that rise where a score is
a team's best, and bars."""

ROWS_OF_CHARTS = re.compile(r'\s*<tr>\s*<th scope="row">.*?</tr>', re.DOTALL)
"""The same as tables, on the page of charts alone."""

UNCOMPARED_HEADERS = {"x-request-id", "date", "content-length"}
"""The length follows from the body, which is compared."""

UNRELATED = {"getMetrics", "isReady"}
"""Reports about the service, with the age of things in seconds."""

PAGES = (
    "/",
    f"/competitions/{SLUG}",
    f"/competitions/{SLUG}/leaderboard",
    f"/competitions/{SLUG}/charts",
    f"/competitions/{SLUG}/metric",
    f"/competitions/{SLUG}/announcements.atom",
)


def told(answer: Any) -> str:
    """Status, headers and body, without what chance decides and without released scores."""
    head = [
        f"{name}: {value}"
        for name, value in sorted(answer.headers.items())
        if name not in UNCOMPARED_HEADERS
    ]
    text = "\n".join([str(answer.status_code), *head])
    if answer.headers.get("content-type") == "application/octet-stream":
        # A submitted file has no id, time or score of ours in it.
        return f"{text}\n{hashlib.sha256(answer.content).hexdigest()}"
    text = f"{text}\n{answer.text}"
    for pattern, replacement in [*UNEQUAL_BY_CHANCE, *RELEASED]:
        text = pattern.sub(replacement, text)
    return text


class Viewer:
    """Looks at everything that can be asked for with `GET`: at the competition as a competitor and
    anonymously, at submissions as their sender and as a rival."""

    def __init__(self, installation: Installation, *, competitor: Person, rival: Person) -> None:
        self._client = installation.client
        self._public = {"competitor": competitor, "nobody": installation.anonymous}
        self._teams = {"competitor": competitor, "rival": rival}
        self._reads = [
            operation
            for operation in operations_of(installation.client)
            if operation.method == "GET" and operation.id not in UNRELATED
        ]
        self._objects = {
            "slug": SLUG,
            "name": "train.csv",
            "version": "1",
            "code": "none",
            **dict.fromkeys(("rejudging_id", "user_id", "team_id", "upload_id", "link_id"), "none"),
        }

    def competition(self, *, to_organizers: bool = True) -> Seen:
        """The answers that name no submission, without or with those that are for organizers."""
        general = [
            one
            for one in self._reads
            if "submission_id" not in one.parameters
            and (to_organizers or "/admin/" not in one.path)
        ]
        seen = self._asked(general, self._objects, self._public)
        seen |= {f"page {page}": told(self._client.get(page)) for page in PAGES}
        charts = f"page /competitions/{SLUG}/charts"
        return seen | {charts: ROWS_OF_CHARTS.sub("", seen[charts])}

    def submission(self, submission_id: str, name: str, *, to_rival: bool = True) -> Seen:
        """The answers about a submission, which is called by a name here."""
        own = [one for one in self._reads if "submission_id" in one.parameters]
        objects = {**self._objects, "submission_id": submission_id}
        people = self._teams if to_rival else {"competitor": self._teams["competitor"]}
        seen = self._asked(own, objects, people)
        return {f"{name}: {asked}": answer for asked, answer in seen.items()}

    def _asked(
        self,
        operations: Sequence[Operation],
        objects: Mapping[str, str],
        people: Mapping[str, Person],
    ) -> Seen:
        seen = {}
        has_past = any("as_of" in operation.queries for operation in operations)
        moment = _moment_after_everything() if has_past else None
        for operation in operations:
            for query in _queries(operation, moment):
                for name, person in people.items():
                    address = operation.address(objects).removeprefix(API)
                    answer = person.get(address, params=query)
                    seen[f"{name}: {operation.name} {sorted(query)}"] = told(answer)
        return seen


def _queries(operation: Operation, moment: datetime | None) -> list[dict[str, str]]:
    queries: list[dict[str, str]] = [{}]
    if "split" in operation.queries:
        queries.append({"split": "private"})
    if "as_of" in operation.queries and moment is not None:
        queries.append({"as_of": moment.strftime("%Y-%m-%dT%H:%M:%SZ")})
    return queries


def _moment_after_everything() -> datetime:
    """The next whole second, once it has passed: all that was done before was done by then."""
    moment = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1)
    while datetime.now(UTC) <= moment:
        time.sleep(0.05)
    return moment


def judged(person: Person) -> list[Any]:
    """Waits for the verdicts on all submissions of a person's team; oldest first."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        page = person.get(f"/competitions/{SLUG}/submissions", params={"limit": 1000}).json()
        if all(item["judged_at"] for item in page["items"]):
            return list(reversed(page["items"]))
        time.sleep(0.2)
    raise TimeoutError("not all files were judged")
