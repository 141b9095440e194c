"""The pages of the HTTP API, from the description that an installation serves."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from docs.pages.markdown import NOT_SEARCHED, table
from podium.bootstrap import build
from podium.http.openapi.introduction import INTRODUCTION
from podium.main import create_app
from podium.settings import Settings

Document: TypeAlias = Mapping[str, Any]

HEAD = """# API

Version 1 of the HTTP API: how it is used, and which operations it has. What they take and answer,
every installation describes at `/docs` and `/openapi.json`, and the site that `make docs` builds on
a page of its own. All codes of refusals are on the page [Error codes](problems.md).
"""

OPERATIONS_HEAD = f"""{NOT_SEARCHED}# Operations of the API

Everything that the operations of the [API](api.md) take and return.
"""

DOCUMENTS_HEAD = f"""{NOT_SEARCHED}# Documents of the API

The JSON documents that the [operations](operations.md) of the API take and return.
"""

SHORT = 12
"""Lines of an example that stands open; a longer one is folded."""


def api() -> str:
    """How the API is used, and a line for each operation, by its tag."""
    return "\n".join([HEAD, INTRODUCTION, "\n## Operations", *_listed(_contract())])


def operations() -> str:
    """All that the description says of each operation."""
    return "\n".join([OPERATIONS_HEAD, *_described(_contract())])


def documents() -> str:
    """Every document that the API takes or gives, with its members."""
    return "\n".join(_documents(_contract()["components"]["schemas"]))


@cache
def _contract() -> Document:
    """The description of the API, as a running installation serves it."""
    with TemporaryDirectory() as folder:
        application = build(Settings(data_dir=Path(folder)))
        try:
            return create_app(application).openapi()
        finally:
            application.close()


def _tagged(contract: Document) -> Iterator[tuple[str, list[tuple[str, Document]]]]:
    """Each tag with its description, and its operations with their addresses."""
    tagged: dict[str, list[tuple[str, Document]]] = defaultdict(list)
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            tagged[operation["tags"][0]].append((f"{method.upper()} {path}", operation))
    for tag in contract["tags"]:
        yield f"{tag['name'].capitalize()}\n\n{tag['description']}", tagged[tag["name"]]


def _listed(contract: Document) -> Iterator[str]:
    for head, operations in _tagged(contract):
        yield f"\n### {head}\n"
        rows = [(one["summary"], f"`{address}`") for address, one in operations]
        yield from table(("operation", "request"), rows)


def _described(contract: Document) -> Iterator[str]:
    schemas = contract["components"]["schemas"]
    for head, operations in _tagged(contract):
        yield f"\n## {head}"
        for address, operation in operations:
            yield from _operation(address, operation, schemas)


def _operation(address: str, operation: Document, schemas: Document) -> Iterator[str]:
    yield f"\n### {operation['summary']} {{ #{operation['operationId']} }}\n\n`{address}`"
    if description := operation.get("description"):
        yield f"\n{description}"
    if parameters := operation.get("parameters"):
        rows = [
            (
                f"`{one['name']}`",
                one["in"],
                _type(one["schema"]),
                one.get("description", "") or _first_example(one["schema"]),
            )
            for one in parameters
        ]
        yield ""
        yield from table(("parameter", "in", "type", "meaning"), rows)
    if body := operation.get("requestBody"):
        yield f"\nBody: {_content(body['content'])}. {body.get('description', '')}"
        yield from _shown("An example of the body", body["content"], schemas)
    answers = operation["responses"]
    for status, one in answers.items():
        if status < "400":
            content = one.get("content", {})
            yield f"\n`{status}`: {_content(content) or 'no content'}"
            yield from _shown("An example of the answer", content, schemas)
    if refusals := [f"`{status}`" for status in answers if status >= "400"]:
        yield f"\nRefusals: {', '.join(refusals)}"


def _content(content: Document) -> str:
    kinds = []
    for media_type, one in content.items():
        schema = one.get("schema", {})
        is_document = media_type == "application/json" and schema
        kinds.append(_type(schema) if is_document else f"`{media_type}`")
    return " or ".join(kinds)


def _shown(title: str, content: Document, schemas: Document) -> Iterator[str]:
    """The example of a JSON document in a block of its own, if there is one."""
    one = content.get("application/json", {})
    example = one.get("example", _example(one.get("schema", {}), schemas))
    if example is None:
        return
    lines = json.dumps(example, indent=2, ensure_ascii=False).splitlines()
    yield f'\n{"???" if len(lines) > SHORT else "???+"} example "{title}"\n'
    for line in ("```json", *lines, "```"):
        yield f"    {line}"


def _example(schema: Document, schemas: Document) -> Any:  # noqa: ANN401 - any JSON
    """An example of a schema: its own, or one made of those of its members; None where there are
    none, or where a required member lacks one."""
    if reference := schema.get("$ref"):
        return _example(schemas[reference.rpartition("/")[2]], schemas)
    if examples := schema.get("examples"):
        return examples[0]
    for choice in schema.get("anyOf", ()):
        if (example := _example(choice, schemas)) is not None:
            return example
    required = schema.get("required", ())
    made = {
        name: example
        for name, member in schema.get("properties", {}).items()
        if (example := _example(member, schemas)) is not None
    }
    return made if made and set(required) <= set(made) else None


def _documents(schemas: Document) -> Iterator[str]:
    yield DOCUMENTS_HEAD
    for name, schema in sorted(schemas.items()):
        yield f"\n## {name} {{ #{name} }}\n"
        if description := schema.get("description"):
            yield f"{description}\n"
        required = schema.get("required", ())
        rows = [
            (
                f"`{member}`",
                _type(one),
                "yes" if member in required else "no",
                _default(one),
                one.get("description", "") or _first_example(one),
            )
            for member, one in schema.get("properties", {}).items()
        ]
        if rows:
            yield from table(("member", "type", "required", "default", "meaning"), rows)
        else:
            yield _type(schema)


def _default(schema: Document) -> str:
    return f"`{_json(schema['default'])}`" if "default" in schema else "–"


def _first_example(schema: Document) -> str:
    examples = schema.get("examples") or []
    return f"such as `{_json(examples[0])}`" if examples else ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _type(schema: Document) -> str:
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        return f"[{name}](documents.md#{name})"
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(choice) for choice in choices))
    if values := schema.get("enum"):
        return ", ".join(f"`{value}`" for value in values)
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(values := schema.get("additionalProperties"), dict):
        return f"map to {_type(values)}"
    return "time" if schema.get("format") == "date-time" else str(kind)
