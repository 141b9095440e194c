"""The OpenAPI description: the framework's output, improved for readers and for generators of
clients."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.security import HTTPBearer
from pydantic import BaseModel

from podium.http.openapi.headers import HEADERS, describe_headers
from podium.http.openapi.member_examples import give_examples
from podium.http.openapi.names import NAMES
from podium.http.openapi.parameters import (
    describe_conditions,
    describe_location,
    describe_parts,
    forget_null,
)
from podium.http.openapi.problem_members import MEMBERS
from podium.http.openapi.refusals import complete_refusals, examples_named_in, shared_refusals
from podium.http.schemas import OpenApi

TOKEN, MAYBE_TOKEN = "token", "maybeToken"

_HOW = (
    "A token of your account: from the account page, or from `POST /api/v1/sign-in`. A page in a"
    " browser may use its session cookie instead."
)

REQUIRES_TOKEN = HTTPBearer(scheme_name=TOKEN, description=_HOW, auto_error=False)
"""Marks the operations that only known users may call; the operations identify the user
themselves."""

TAKES_TOKEN = HTTPBearer(scheme_name=MAYBE_TOKEN, auto_error=False)
"""Marks operations that anonymous visitors may call, and that show more to known users."""

_REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')

_LIST = re.compile(r"Listed_(\w+)_")
"""The framework's name for a list of documents of a kind."""


def improve(
    app: FastAPI, *, documents: Iterable[type[BaseModel]], known: dict[str, OpenApi]
) -> None:
    """Replaces the application's description by ours. `documents` are those that routes parse
    themselves, which the framework does not know; `known` keeps the description by contact, for
    further applications with the same routes."""
    plain, contact = app.openapi, json.dumps(app.contact)

    def described() -> OpenApi:
        if contact not in known:
            known[contact] = _improved(plain(), documents)
        return known[contact]

    # The framework documents this assignment as the way to change the description.
    app.openapi = described  # type: ignore[method-assign]


def _improved(document: OpenApi, documents: Iterable[type[BaseModel]]) -> OpenApi:
    for each in documents:
        document["components"]["schemas"][each.__name__] = each.model_json_schema()
    document = _named(document)
    components = document["components"]
    components["securitySchemes"].pop(MAYBE_TOKEN, None)
    components["responses"] = shared_refusals()
    components["headers"] = HEADERS
    for name, schema in components["schemas"].items():
        if "examples" in schema:
            schema["examples"] = [_completed(each, schema) for each in schema["examples"]]
        if name.endswith("Changes"):
            _forget_defaults(schema)
    give_examples(components["schemas"])
    components["schemas"]["Problem"]["properties"] |= MEMBERS
    for operation in _operations(document):
        _improve_security(operation)
        _improve_body(operation)
        complete_refusals(operation)
        describe_parts(operation)
        forget_null(operation)
        describe_conditions(operation)
        describe_location(operation)
        describe_headers(operation)
        _describe_answers(operation)
        _complete_answers(operation, components["schemas"])
    components["examples"] = examples_named_in(json.dumps(document["paths"]))
    return document


def _operations(document: OpenApi) -> Iterator[dict[str, Any]]:
    for methods in document["paths"].values():
        yield from methods.values()


def _named(document: OpenApi) -> OpenApi:
    """Renames the schemas of the description, so that their names are clear by themselves."""
    schemas = document["components"]["schemas"]
    text = _REFERENCE.sub(
        lambda found: f'"#/components/schemas/{public_name(found[1])}"', json.dumps(document)
    )
    renamed: OpenApi = json.loads(text)
    renamed["components"]["schemas"] = {
        public_name(name): schema | ({"title": public_name(name)} if "title" in schema else {})
        for name, schema in zip(schemas, renamed["components"]["schemas"].values(), strict=True)
    }
    return renamed


def public_name(name: str) -> str:
    """Derives the public name of a schema from that of its class."""
    if (listed := _LIST.fullmatch(name)) is not None:
        return f"{public_name(listed[1])}List"
    return NAMES.get(name) or name.removesuffix("Out")


def _completed(example: dict[str, Any], schema: OpenApi) -> dict[str, Any]:
    """Orders an example as its schema is, and adds members that are null, which the framework
    leaves out."""
    return {
        name: example.get(name)
        for name in schema.get("properties", {})
        if name in example or name in schema.get("required", ())
    }


def _complete_answers(operation: dict[str, Any], schemas: OpenApi) -> None:
    for response in operation["responses"].values():
        kind = response.get("content", {}).get("application/json", {})
        name = kind.get("schema", {}).get("$ref", "").rpartition("/")[2]
        if "example" in kind and name in schemas:
            kind["example"] = _completed(kind["example"], schemas[name])
        for named in kind.get("examples", {}).values():
            value = named["value"] = _completed(named["value"], schemas[name])
            if value.get("problem"):
                value["problem"] = _completed(value["problem"], schemas["Problem"])


def _forget_defaults(schema: OpenApi) -> None:
    """Removes defaults from members of changes: generated clients would send them, and so change
    members that were left out."""
    for member in schema.get("properties", {}).values():
        member.pop("default", None)


def _improve_security(operation: dict[str, Any]) -> None:
    schemes = {name for each in operation.get("security", ()) for name in each}
    if TOKEN in schemes:
        operation["security"] = [{TOKEN: []}]
    elif MAYBE_TOKEN in schemes:
        operation["security"] = [{}, {TOKEN: []}]


def _improve_body(operation: dict[str, Any]) -> None:
    """Describes an optional body by its type alone, without null."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body and [*body["schema"].get("anyOf", ())][1:] == [{"type": "null"}]:
        body["schema"] = body["schema"]["anyOf"][0]


ANSWERS = {
    "200": "As asked for.",
    "201": "Made; here it is.",
    "202": "Taken in; what comes of it follows.",
    "204": "Done. The answer has no body.",
}
"""Descriptions of answers that routes do not describe."""


def _describe_answers(operation: dict[str, Any]) -> None:
    """Replaces the framework's descriptions of answers, which are the same for all."""
    for status, response in operation["responses"].items():
        if response.get("description") == "Successful Response":
            response["description"] = ANSWERS[status]
