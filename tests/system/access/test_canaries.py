"""Nothing that is secret before the reveal stands in any answer or in the log, for any role and
request.

The labels begin with digits that nothing else holds, and scores have twelve digits, so that a
text that holds one of them has it from the ground truth.
"""

from __future__ import annotations

import base64
import sqlite3
from contextlib import closing
from typing import Any, get_args

import pytest

from podium.boards.queries.rows import Order
from podium.submissions.rules import salt_of
from tests.builders.access.good_requests import SECRET_ITEM
from tests.builders.access.operations import Operation
from tests.builders.access.rules_organizing import ALL_PAGES
from tests.builders.access.stage import Stage

# One installation for all tests of this file.
pytestmark = pytest.mark.xdist_group("canaries")

PARTICIPANTS = ("anonymous", "stranger", "member", "rival", "foreign")

SECRETS = (
    "SELECT split_key FROM competition_secrets",
    "SELECT private_key FROM signing_keys",
    "SELECT password_hash FROM users",
    "SELECT sha256 FROM access_tokens",
    "SELECT sha256 FROM one_time_links",
    "SELECT sha256 FROM page_sessions",
)
"""Secrets that no answer may hold, for any role, but for the full archive of the administrator."""

HIDDEN = (
    "SELECT sha256 FROM ground_truth_versions",
    "SELECT upload_sha256 FROM ground_truth_versions",
    "SELECT hits_sha256 FROM judgings",
    "SELECT hits_sha256 FROM runs",
    "SELECT content FROM fingerprints",
    "SELECT score FROM private_scores",
)
"""Values that participants may not see before the reveal."""

HIDDEN_NAMES = {"hits", "denominator", "failure", "sketch", "split_key", "password_hash"}
"""Names of what participants get no value of before the reveal."""


def _values(stage: Stage, queries: tuple[str, ...]) -> set[str]:
    path = stage.installation.application.settings.database.removeprefix("sqlite:///")
    with closing(sqlite3.connect(path)) as database:
        found = {value for query in queries for (value,) in database.execute(query) if value}
    texts = {value for value in found if isinstance(value, str)}
    for value in found - texts:
        texts |= {value.hex(), base64.b64encode(value).decode().rstrip("=")}
    assert len(texts) >= len(queries)
    return texts


def _scores(stage: Stage) -> set[str]:
    """The private scores, as they would be shown."""
    ids = (stage.objects["submission_id"], stage.objects["others_submission"])
    shown = [stage.call("administrator", "GET", f"/api/v1/submissions/{one}").json() for one in ids]
    scores = {f"{one['private_score']:.12f}"[:10] for one in shown}
    assert scores.isdisjoint(f"{one['public_score']:.12f}"[:10] for one in shown)
    return scores


def _salts(stage: Stage) -> set[str]:
    keys = _values(stage, ("SELECT split_key FROM competition_secrets",))
    return {salt_of(key, 1) for key in keys}


def _answers(stage: Stage, operations: list[Operation], role: str) -> dict[str, Any]:
    """The answers that this role gets from all operations, its query parameters tried as well."""
    before, answers = stage.content(), {}
    for operation in operations:
        answers[operation.name] = stage.ask(operation, role)
        # What is for organizers is refused to others whatever they ask for.
        is_refused = role in PARTICIPANTS and "/admin/" in operation.path
        if operation.method == "GET" and not is_refused:
            for name, query in {
                "private": {"split": "private"},
                "sorted": {"sort": "private_score", "order": "-private", "limit": "1"},
                "more": {"fields": "private_score,hits", "include": "hits,private"},
                "whole": {"full": "true"},
                "static": {"static": "true"},
            }.items():
                address = operation.address(stage.objects)
                answer = stage.call(role, "GET", address, params=query)
                answers[f"{operation.name} {name}"] = answer
        if stage.differs_from(before):
            stage.restore()
    for page in _pages(stage):
        answers[page] = stage.call(role, "GET", page)
    return answers


def _pages(stage: Stage) -> list[str]:
    """The addresses of all pages, and boards, charts and lists asked in every way."""
    objects = {**stage.objects, "name": "podium.css", "release": "0"}
    paths = (name.split() for name in ALL_PAGES)
    plain = [path.format(**objects) for method, path in paths if method == "GET"]
    team, competition = stage.objects["team_id"], "/competitions/otto"
    one, other = stage.objects["submission_id"], stage.objects["others_submission"]
    return [
        *plain,
        *(f"{competition}/leaderboard?sort={order}" for order in get_args(Order)),
        f"{competition}/leaderboard?q=team&days=1",
        f"{competition}/leaderboard?as_of=2999-01-01",
        f"{competition}/leaderboard?split=private&q=team&sort=-rank",
        f"{competition}/charts?split=private",
        f"{competition}/comparison?a={one}&b={other}",
        f"/api/v1{competition}/leaderboard?q=team&sort=-rank&team={team}",
        f"/api/v1{competition}/leaderboard?split=private&team={team}",
        f"/api/v1{competition}/charts?team={team}",
        f"/api/v1{competition}/charts?split=private&team={team}",
        f"/?q={SECRET_ITEM[:4]}",
        "/server/log?action=ground-truth",
    ]


def _text(answer: Any) -> str:
    head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    return f"{head}\n{answer.content.decode(errors='replace')}"


def _named(document: Any) -> set[str]:
    """The names of members that have a value, however deep."""
    if isinstance(document, list):
        return set().union(*map(_named, document))
    if not isinstance(document, dict):
        return set()
    given = {name for name, value in document.items() if value is not None}
    return given.union(*map(_named, document.values()))


@pytest.mark.parametrize("role", PARTICIPANTS)
def test_no_answer_to_participants_holds_what_is_hidden(
    stage: Stage, operations: list[Operation], role: str, capfd: pytest.CaptureFixture[str]
) -> None:
    hidden = _values(stage, SECRETS + HIDDEN) | _scores(stage) | _salts(stage) | {SECRET_ITEM}
    hidden -= _published(stage)
    for asked, answer in _answers(stage, operations, role).items():
        text = _text(answer)
        assert {secret for secret in hidden if secret in text} == set(), asked
        is_json = answer.content and answer.headers.get("content-type") == "application/json"
        # The description of the service names fields, and gives them no value.
        if is_json and asked != "/openapi.json":
            assert _named(answer.json()) & HIDDEN_NAMES == set(), asked
    log = capfd.readouterr()
    assert {secret for secret in hidden if secret in log.out + log.err} == set()


def _published(stage: Stage) -> set[str]:
    """Hashes that everybody may know: of the file that the member sent itself."""
    sent = stage.call("member", "GET", f"/api/v1/submissions/{stage.objects['submission_id']}")
    return {sent.json()["sha256"]}


@pytest.mark.parametrize("role", ["organizer", "administrator"])
def test_not_even_organizers_are_told_keys_and_labels(
    stage: Stage, operations: list[Operation], role: str, capfd: pytest.CaptureFixture[str]
) -> None:
    hidden = _values(stage, SECRETS) | _salts(stage) | {SECRET_ITEM}
    answers = _answers(stage, operations, role)
    archive = answers.pop("GET /api/v1/admin/competitions/{slug}/export whole")
    assert archive.status_code == (200 if role == "administrator" else 403)
    for asked, answer in answers.items():
        text = _text(answer)
        assert {secret for secret in hidden if secret in text} == set(), asked
    log = capfd.readouterr()
    assert {secret for secret in hidden if secret in log.out + log.err} == set()


def test_the_search_would_find_what_it_searches(stage: Stage) -> None:
    for act in ("close", "reveal"):
        assert stage.act(act).status_code == 200
    address = f"/api/v1/submissions/{stage.objects['submission_id']}/receipt"
    receipt = _text(stage.call("member", "GET", address))
    assert any(score in receipt for score in _scores(stage))
    assert any(salt in receipt for salt in _salts(stage))
    assert _named(stage.call("member", "GET", address).json()) & HIDDEN_NAMES
    page = f"/competitions/otto/submissions/{stage.objects['submission_id']}"
    assert page in _pages(stage)
    assert any(score in _text(stage.call("member", "GET", page)) for score in _scores(stage))
