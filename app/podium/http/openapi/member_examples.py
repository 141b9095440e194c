"""Examples of all members of documents, so that no page and no mock server answers “string”."""

from __future__ import annotations

from typing import Any

from podium.http.openapi.example_values import BY_NAME, IN_DOCUMENT, PEOPLE

_SAYS_ENOUGH = frozenset({"examples", "enum", "const"})

_PERSON = "#/components/schemas/Person'"

_PLAIN = frozenset({"string", "integer", "number", "boolean"})


def give_examples(schemas: dict[str, Any]) -> None:
    """Adds an example to each member of each schema that has none: the one for its name in that
    document, or in all of them; unlisted booleans are false."""
    for name, schema in schemas.items():
        special = IN_DOCUMENT.get(name, {})
        for member, member_schema in schema.get("properties", {}).items():
            if "examples" in member_schema:
                continue
            if member in special:
                member_schema["examples"] = [special[member]]
            elif member in PEOPLE and _PERSON in str(member_schema):
                member_schema["examples"] = [PEOPLE[member]]
            elif is_without_example(member_schema):
                member_schema["examples"] = [BY_NAME.get(member, False)]


def is_without_example(schema: dict[str, Any]) -> bool:
    """True for a plain value, or a list or map of such, without an example, format or other
    hint."""
    if _SAYS_ENOUGH & schema.keys() or schema.get("default") is not None:
        return False
    if "anyOf" in schema:
        return any(is_without_example(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return is_without_example(schema.get("items", {"type": "string"}))
    if schema.get("type") == "object" and "properties" not in schema:
        return True
    return schema.get("type") in _PLAIN
