"""Unexpected additions of clients to their requests: fields, parameters, cursors, conditions."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from podium.core.models import User
from tests.builders.access import rules as acce_rules
from tests.builders.access.good_requests import request_of
from tests.builders.access.operations import Operation
from tests.builders.access.seeing import told
from tests.builders.access.stage import ROLES, Stage

# One installation for all tests of this file.
pytestmark = pytest.mark.xdist_group("bodies")

COLUMNS = sorted({column.name for table in User.metadata.sorted_tables for column in table.columns})
"""Every column of every table."""

CURSORS = [
    [0], [-1], [1], [10**9], [2**63 - 1], [2**63], ["0"], ["zz"], [""], [None], [True], [1.5],
    [[1]], [{}], [], [1, 1], ["' OR 1=1 --"], ["2026-01-01T00:00:00+00:00"], {"a": 1}, 5, "x",
]  # fmt: skip


def _cursor(content: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def _may(operation: Operation) -> str:
    """A role for which the operation succeeds; the one with the least rights."""
    statuses = acce_rules.OPEN[operation.name]
    return next(role for role, status in zip(ROLES, statuses, strict=True) if status < 400)


def _with_fields(operations: list[Operation]) -> Iterator[Operation]:
    for operation in operations:
        body = operation.document.get("requestBody", {}).get("content", {})
        succeeds = any(status < 400 for status in acce_rules.OPEN[operation.name])
        # A file may stand in place of the JSON, so that a wrong field makes another file of it.
        if "application/json" in body and succeeds and not operation.takes_a_file:
            yield operation


def test_no_column_of_any_table_can_be_smuggled_into_a_body(
    stage: Stage, operations: list[Operation]
) -> None:
    described = stage.installation.client.get("/openapi.json").json()["components"]["schemas"]
    before, tried = stage.content(), 0
    for operation in _with_fields(operations):
        role = _may(operation)
        objects = {**stage.objects, **stage.special.get(operation.id, {})}
        request = request_of(operation, role, objects)
        names = _field_names(operation, described)
        for column in COLUMNS if operation.id in ("createUser", "changeTeam") else COLUMNS[::9]:
            if column in names:
                continue
            body = {**request["json"], column: 1}
            address = operation.address(objects)
            answer = stage.call(role, operation.method, address, json=body)
            assert answer.status_code == 422, (operation.name, column, answer.text)
            tried += 1
    assert stage.content() == before
    assert tried > 300


def _field_names(operation: Operation, described: dict[str, Any]) -> set[str]:
    text = json.dumps(operation.document["requestBody"])
    names: set[str] = set()
    for name, schema in described.items():
        if f'"#/components/schemas/{name}"' in text:
            names |= set(schema.get("properties", {}))
    assert names
    return names


def test_every_body_refuses_what_it_does_not_name(
    stage: Stage, operations: list[Operation]
) -> None:
    described = stage.installation.client.get("/openapi.json").json()["components"]["schemas"]
    for operation in operations:
        text = json.dumps(operation.document.get("requestBody", {}))
        for name, schema in described.items():
            if f'"#/components/schemas/{name}"' in text:
                assert schema["additionalProperties"] is False, (operation.name, name)


def _disguised(schema: Any, described: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Places of numbers and truth values in documents of a schema, each with a value of another
    type there, which could be taken for one."""
    schema = described[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    choices = [schema, *schema.get("anyOf", [])]
    types = {choice.get("type") for choice in choices}
    for type_, values in _IN_DISGUISE.items():
        if type_ in types:
            taken = {_JSON_TYPES[taken] for taken in types & _JSON_TYPES.keys()}
            yield from (((), value) for value in values if type(value) not in taken)
    for choice in choices:
        if "$ref" in choice and choice is not schema:
            yield from _disguised(choice, described)
        below = choice.get("properties", {})
        if "items" in choice:
            below = {_FIRST: choice["items"]}
        for name, part in below.items():
            for place, value in _disguised(part, described):
                yield (name, *place), value


_FIRST = "0"
"""The place of the first entry of a list."""

_IN_DISGUISE = {"integer": ["3", True], "number": ["0.5", True], "boolean": ["true", 1]}
_JSON_TYPES = {"string": str, "boolean": bool, "integer": int, "number": float}


def test_no_number_is_taken_from_a_text_or_a_truth_value_nor_the_other_way(
    stage: Stage, operations: list[Operation]
) -> None:
    described = stage.installation.client.get("/openapi.json").json()["components"]["schemas"]
    before, tried = stage.content(), set()
    for operation in _with_fields(operations):
        role = _may(operation)
        objects = {**stage.objects, **stage.special.get(operation.id, {})}
        request = request_of(operation, role, objects)
        schema = operation.document["requestBody"]["content"]["application/json"]["schema"]
        for place, value in _disguised(schema, described):
            given: Any = value
            for name in reversed(place):
                given = [given] if name == _FIRST else {name: given}
            answer = stage.call(
                role, operation.method, operation.address(objects), json=request["json"] | given
            )
            assert answer.status_code == 422, (operation.name, place, value, answer.text)
            named = {error["column"].removeprefix("body.") for error in answer.json()["errors"]}
            # What else an entry of a list needs is missing, so its number is to be named.
            wanted = ".".join((*(place if _FIRST in place else place[:1]), ""))
            is_named = any(f"{one}.".startswith(wanted) for one in named)
            assert is_named, (operation.name, place, value, answer.text)
            tried.add((operation.id, place))
    assert stage.content() == before
    column = ("table_columns", _FIRST, "minimum")
    assert {
        ("createInvite", ("seats",)),
        ("createCompetition", ("daily_limit",)),
        ("createCompetition", column),
    } <= tried
    assert len(tried) > 50


@pytest.mark.parametrize("role", ["anonymous", "member", "rival"])
def test_unknown_parameters_change_no_answer(
    stage: Stage, operations: list[Operation], role: str
) -> None:
    surplus = {
        "sort": "private_score",
        "order": "private_score",
        "fields": "id,private_score,hits",
        "include": "hits,private",
        "team_id": stage.objects["others_team"],
        "user_id": stage.objects["bystander"],
        "is_organizer": "true",
    }
    for operation in operations:
        if operation.method == "GET" and operation.id != "getMetrics":
            address = operation.address(stage.objects)
            unknown = {name: v for name, v in surplus.items() if name not in operation.queries}
            plain, more = (
                told(stage.call(role, "GET", address, params=params)) for params in ({}, unknown)
            )
            assert plain == more, operation.name
            for name in surplus.keys() - unknown.keys():
                answer = stage.call(role, "GET", address, params={name: surplus[name]})
                assert answer.status_code not in (200, 500), (operation.name, name)


@pytest.mark.parametrize("role", ["member", "organizer"])
def test_invented_cursors_show_nothing_that_the_list_does_not(
    stage: Stage, operations: list[Operation], role: str
) -> None:
    lists = [one for one in operations if "cursor" in one.queries]
    assert len(lists) >= 12
    for operation in lists:
        address = operation.address(stage.objects)
        whole = stage.call(role, "GET", address, params={"limit": 1000})
        if whole.status_code != 200:
            continue
        for content in CURSORS:
            params = {"cursor": _cursor(content), "limit": 1000}
            answer = stage.call(role, "GET", address, params=params)
            assert answer.status_code in (200, 422), (operation.name, content)
            if answer.status_code == 200:
                assert _shown(answer) <= _shown(whole), (operation.name, content)
        for text in ("!", "%00", "é", "A" * 999, "../../x"):
            answer = stage.call(role, "GET", address, params={"cursor": text})
            assert answer.status_code == 422, (operation.name, text)


def _shown(answer: Any) -> set[str]:
    document = answer.json()
    rows = document.get("items", document.get("rows", document.get("changes")))
    return {json.dumps(row, sort_keys=True) for row in rows}


def test_a_cursor_of_one_list_opens_no_other(stage: Stage) -> None:
    own = "/api/v1/competitions/otto/submissions"
    stage.people["member"].post("/competitions/otto/submissions", content=b"a")
    everything = stage.call(
        "organizer", "GET", "/api/v1/admin/competitions/otto/submissions", params={"limit": 1}
    ).json()
    page = stage.call("rival", "GET", own, params={"cursor": everything["next_cursor"]}).json()
    assert {item["team"]["id"] for item in page["items"]} == {stage.objects["others_team"]}


@pytest.mark.parametrize("role", ["anonymous", "stranger", "rival", "foreign"])
def test_conditions_and_ranges_make_no_refusal_tell_more(
    stage: Stage, operations: list[Operation], role: str
) -> None:
    sent = stage.call("member", "GET", f"/api/v1/submissions/{stage.objects['submission_id']}")
    conditions: tuple[dict[str, str], ...] = (
        {"If-None-Match": "*"},
        {"If-None-Match": f'"{sent.json()["sha256"]}"'},
        {"If-Match": '"1"'},
        {"Range": "bytes=0-0"},
        {"Last-Event-ID": "0" * 16},
    )
    place = ROLES.index(role)
    before = stage.content()
    for operation in operations:
        if acce_rules.OPEN[operation.name][place] not in acce_rules.REFUSED:
            continue
        plain = told(stage.ask(operation, role))
        objects = {**stage.objects, **stage.special.get(operation.id, {})}
        for condition in conditions:
            request = request_of(operation, role, objects)
            request["headers"] = request.get("headers", {}) | condition
            answer = stage.call(role, operation.method, operation.address(objects), **request)
            assert told(answer) == plain, (operation.name, condition)
    assert stage.content() == before


def test_no_tag_opens_the_private_board_early(stage: Stage) -> None:
    address = "/api/v1/competitions/otto/leaderboard"
    public = stage.call("member", "GET", address)
    tag = public.headers["etag"]
    assert stage.call("member", "GET", address, headers={"If-None-Match": tag}).status_code == 304
    for given in ("*", tag, tag.replace("public", "private")):
        answer = stage.call(
            "anonymous", "GET", f"{address}?split=private", headers={"If-None-Match": given}
        )
        assert answer.status_code == 404
    private = {"If-None-Match": tag.replace("public", "private")}
    assert stage.call("anonymous", "GET", address, headers=private).status_code == 200


def test_a_tag_of_a_board_counts_only_what_the_public_board_shows(stage: Stage) -> None:
    address = "/api/v1/competitions/otto/leaderboard"
    tags = {role: stage.call(role, "GET", address).headers["etag"] for role in ROLES}
    named = {"member", "rival", "organizer", "administrator"}
    assert {tags[role] for role in named} == {tags["member"]}
    # Readers who are not told the names of people have a tag of their own.
    assert {tags[role] for role in tags.keys() - named} == {tags["anonymous"]}
    assert tags["anonymous"] == tags["member"].replace('"', '.n"').replace('.n"', '"', 1)
