"""The examples of the description: pages and mock servers show them, and people copy them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.builders.access.json_schema import mistakes

PLAIN = {"string", "integer", "number", "boolean"}

TELLING = {"examples", "enum", "const"}


def members(description: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, schema in description["components"]["schemas"].items():
        for member, told in schema.get("properties", {}).items():
            yield f"{name}.{member}", told


def shows_a_bare_kind(told: dict[str, Any]) -> bool:
    """True where a page can only show “string”, 0 or “additionalProp1”."""
    if TELLING & told.keys() or told.get("default") is not None:
        return False
    if "anyOf" in told:
        return any(shows_a_bare_kind(each) for each in told["anyOf"])
    if told.get("type") == "array":
        return shows_a_bare_kind(told.get("items", {"type": "string"}))
    return told.get("type") in PLAIN or (
        "additionalProperties" in told and "properties" not in told
    )


def test_every_plain_member_has_an_example(description: dict[str, Any]) -> None:
    found = dict(members(description))
    assert len(found) > 900
    assert [name for name, told in found.items() if shows_a_bare_kind(told)] == []


def test_every_example_is_what_its_schema_allows(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    told = [*members(description), *schemas.items()]
    wrong = {
        name: mistakes(example, {**schema, "examples": []}, schemas)
        for name, schema in told
        for example in schema.get("examples", ())
    }
    assert len(wrong) > 600
    assert {name: found for name, found in wrong.items() if found} == {}


def test_a_rejected_submission_is_shown_where_its_verdict_is_read(
    description: dict[str, Any],
) -> None:
    paths, schemas = description["paths"], description["components"]["schemas"]
    answer = paths["/api/v1/submissions/{submission_id}"]["get"]["responses"]["200"]
    named = answer["content"]["application/json"]["examples"]
    told = {name: each["value"] for name, each in named.items()}
    assert {name: each["status"] for name, each in told.items()} == {
        "scored": "scored",
        "rejected": "rejected",
    }
    assert told["rejected"]["problem"]["errors"][0]["line"] == 3
    assert [mistakes(each, schemas["Submission"], schemas) for each in told.values()] == [[], []]
    events = paths["/api/v1/submissions/{submission_id}/events"]["get"]["responses"]["200"]
    stream = events["content"]["text/event-stream"]["examples"]["rejected"]["value"]
    [data] = re.findall(r"^data: (.+)$", stream, re.MULTILINE)
    assert json.loads(data) == told["rejected"]


def test_ids_of_examples_are_as_the_server_makes_them(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"]
    made = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    for document, member in (
        ("Submission", "id"),
        ("Team", "id"),
        ("MadeUser", "id"),
        ("MadeLink", "id"),
        ("GroundTruthVersion", "id"),
        ("LeaderboardRow", "submission_id"),
        ("Problem", "request_id"),
        ("MemberAct", "user_id"),
    ):
        [example] = schemas[document]["properties"][member]["examples"]
        assert made.fullmatch(example), (document, member)


def test_examples_belong_to_one_competition(description: dict[str, Any]) -> None:
    examples = {
        example
        for name, told in members(description)
        for example in told.get("examples", ())
        if name.endswith((".competition", ".slug")) and example is not None
    }
    assert examples == {"otto"}
