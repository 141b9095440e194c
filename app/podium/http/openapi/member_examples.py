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
        for member, told in schema.get("properties", {}).items():
            if "examples" in told:
                continue
            if member in special:
                told["examples"] = [special[member]]
            elif member in PEOPLE and _PERSON in str(told):
                told["examples"] = [PEOPLE[member]]
            elif is_without_example(told):
                told["examples"] = [BY_NAME.get(member, False)]


def is_without_example(told: dict[str, Any]) -> bool:
    """True for a plain value, or a list or map of such, without an example, format or other
    hint."""
    if _SAYS_ENOUGH & told.keys() or told.get("default") is not None:
        return False
    if "anyOf" in told:
        return any(is_without_example(each) for each in told["anyOf"])
    if told.get("type") == "array":
        return is_without_example(told.get("items", {"type": "string"}))
    if told.get("type") == "object" and "properties" not in told:
        return True
    return told.get("type") in _PLAIN
