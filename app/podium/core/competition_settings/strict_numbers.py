"""Documents whose numbers and truth values are those of JSON: never strings, and never
interchangeable.

Times, names of a choice and exact decimals are strings in JSON, so no document as a whole can be
strict in pydantic's sense.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler


def _strict(part: Any) -> Any:  # noqa: ANN401 - schemas are nested dictionaries, lists and texts
    if isinstance(part, list):
        return [_strict(each) for each in part]
    if not isinstance(part, dict):
        return part
    schema = {name: _strict(each) for name, each in part.items() if name != "default"}
    if "default" in part:
        schema["default"] = part["default"]
    match schema.get("type"):
        case "bool" | "int" | "float":
            schema["strict"] = True
        case "decimal":
            # A text is the same number with all its digits.
            refusing = {"type": "no-info", "function": _no_truth}
            return {"type": "function-before", "function": refusing, "schema": schema}
    return schema


def _no_truth(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("this is a number, not true or false")
    return value


class StrictNumbers(BaseModel):
    """A document that takes neither `"3"` nor `true` for 3, nor 1 for `true`."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:  # noqa: ANN401 - pydantic's schemas have no type of its own
        """Makes the numbers strict in the schema that pydantic generates for the class."""
        return _strict(handler(source))
