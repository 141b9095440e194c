"""Readable reasons for refused members of requests and settings, in place of pydantic's messages
and patterns."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

from podium.errors.spelling import did_you_mean

SLUG_PATTERN = r"^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$"

NAME_PATTERN = r"^[^\x00-\x20\x7f]([^\x00-\x1f\x7f]{0,62}[^\x00-\x20\x7f])?$"
"""Names of columns, and of objectives, are any text that may stand in the header of a file."""

ARGUMENT_PATTERN = r"^[A-Za-z][A-Za-z0-9_]{0,31}$"

METRIC_NAME_PATTERN = r"^[a-z][a-z0-9_]{0,31}$"

METRIC_ID = re.compile(r"([a-z][a-z0-9_]{0,31})(?:@([1-9][0-9]{0,3}))?(?::(macro|micro))?")
"""The id of a metric: name, K, average."""

METRIC_ID_PATTERN = f"^{METRIC_ID.pattern}$"

IMAGE_PATTERN = r"^([A-Za-z0-9][A-Za-z0-9._-]{0,120}\.(png|jpg|jpeg|gif|webp))?$"

PATTERN_WORDS = {
    SLUG_PATTERN: "lower-case letters, digits and hyphens, for example otto-2026",
    NAME_PATTERN: "1 to 64 characters on one line, without spaces around them, for example user",
    ARGUMENT_PATTERN: "a letter, then letters, digits or underscores, for example beta",
    METRIC_NAME_PATTERN: "the name of a metric, for example ndcg",
    METRIC_ID_PATTERN: "the id of a metric, for example ndcg@20 or rmse",
    IMAGE_PATTERN: "the name of a data file that is a picture, for example cover.png",
}
"""Descriptions of patterns for people."""

SAVE_AS_UTF8 = (
    "In Excel, save as “CSV UTF-8”; in LibreOffice, choose the character set Unicode (UTF-8)."
)
"""The advice for a text that is not UTF-8."""

WHOLE_NUMBERS = frozenset({"int_parsing", "int_type", "int_from_float"})

NUMBERS = frozenset({"decimal_parsing", "decimal_type", "float_parsing", "float_type"})

BOUNDS = frozenset({"greater_than", "greater_than_equal", "less_than", "less_than_equal"})


FEW_MEMBERS = 8
"""Maximum number of members that are all listed where an unknown one was given."""

NO_OBJECT = frozenset({"model_attributes_type", "model_type", "dict_type"})


def reason_of(found: Any) -> str:  # noqa: ANN401 - pydantic's own dict, which differs by kind
    """Words the reason for which a member is refused, from one of pydantic's errors, with an
    example."""
    kind, context = found["type"], found.get("ctx", {})
    if kind == "string_pattern_mismatch" and context["pattern"] in PATTERN_WORDS:
        return f"This takes {PATTERN_WORDS[context['pattern']]}."
    if kind in ("missing", "string_too_short"):
        return "This is required."
    if kind == "string_too_long":
        return f"This is longer than {context['max_length']:,} characters."
    if kind in WHOLE_NUMBERS:
        return "This takes a whole number, for example 5."
    if kind in NUMBERS:
        return "This takes a number, for example 0.33."
    if kind == "literal_error":
        return f"This takes one of {context['expected']}."
    if kind == "extra_forbidden":
        return "There is no such member."
    if kind in NO_OBJECT:
        return "This takes a JSON object, for example {}."
    if kind == "value_error":
        return sentence(str(context["error"]))
    message = str(found["msg"])
    return sentence(
        message.replace("Input should be", "This must be") if kind in BOUNDS else message
    )


def reason_of_body(found: Any, model: object) -> str:  # noqa: ANN401 - as above
    """Words the reason for which a whole body, or one of its members, is refused; where the body is
    not a JSON object, with an example of one."""
    if found["loc"] != ("body",) or found["type"] not in NO_OBJECT | {"missing"}:
        return reason_of(found)
    example = json.dumps(_example_of(model), ensure_ascii=False)
    return f"This takes a JSON object, for example {example}."


def _example_of(model: object) -> object:
    """Finds a model's own example, or builds one from its required members."""
    extra = getattr(model, "model_config", {}).get("json_schema_extra")
    if isinstance(extra, dict):
        return extra["examples"][0]
    fields = _fields_of(model).items()
    return {name: (field.examples or ["…"])[0] for name, field in fields if field.is_required()}


def hint_of(found: Any, model: object) -> str | None:  # noqa: ANN401 - as above
    """Suggests the member, or the choice, that a misspelled one resembles, from one of pydantic's
    errors about `model`."""
    given = found["loc"][-1] if found["type"] == "extra_forbidden" else found["input"]
    if not isinstance(given, str):
        return None
    if found["type"] == "extra_forbidden":
        known = _members_at(model, found["loc"][:-1])
        few = f"There are: {', '.join(known)}." if 0 < len(known) <= FEW_MEMBERS else None
        return did_you_mean(given, known) or few
    if found["type"] == "literal_error":
        return did_you_mean(given, re.findall(r"'([^']*)'", found["ctx"]["expected"]))
    return None


def _members_at(model: object, place: tuple[int | str, ...]) -> list[str]:
    """Lists the members of a model at this place; parts of the place that are not members, such as
    indexes, are skipped."""
    for part in place:
        fields = _fields_of(model)
        if part in fields:
            model = fields[part].annotation
    return list(map(str, _fields_of(model)))


def _fields_of(annotation: object) -> dict[str | int, Any]:
    """Finds the fields of a model, or of the first one within a composite type."""
    if fields := getattr(annotation, "model_fields", None):
        return dict(fields)
    return next(filter(None, map(_fields_of, get_args(annotation))), {})


def sentence(words: str) -> str:
    """Formats words as a sentence, with a capital letter and a period. A name with digits or signs,
    such as an id or a file, keeps its letters.

    >>> sentence("the line is blank"), sentence("u0001 is unknown")
    ('The line is blank.', 'u0001 is unknown.')
    """
    first = words.split(" ", 1)[0].rstrip(",:;.!?").replace("-", "").replace("'", "")
    begun = words[:1].upper() + words[1:] if first.isalpha() else words
    return begun + ("" if words.endswith((".", "!", "?")) else ".")
