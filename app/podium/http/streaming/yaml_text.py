"""Settings as YAML: the values that JSON has, and no more of YAML than that.

Words like `no`, dates and numbers with underscores are texts here, as in JSON-minded readers;
references, which let a small file grow without end, tags and duplicate keys are refused.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import yaml

from podium.errors import InvalidInput, problem_entry
from podium.errors.codes import ErrorCode
from podium.scoring.columns import MAX_TABLE_COLUMNS

if TYPE_CHECKING:
    from yaml._yaml import Mark as CMark
    from yaml.error import Mark

MAX_CHARACTERS = 200_000
"""The longest file; rules and descriptions are its longest parts."""

MAX_DEEP = 20
"""Levels of lists and mappings within each other."""

MAX_PARTS = 12_000
"""Maximum number of values, and of beginnings and ends of lists and mappings. Reading a hundred
thousand of them, which the limit of characters would allow, takes many seconds."""


def written(value: Mapping[str, Any]) -> str:
    """Formats the value as YAML: members in their order, texts of several lines as blocks."""
    text: str = yaml.dump(
        _plain(value), Dumper=_Writer, sort_keys=False, allow_unicode=True, width=100
    )
    return text


def read(text: str) -> dict[str, Any]:
    """Parses the mapping in a YAML or JSON file. Raises `InvalidInput` (`bad-yaml`), with the
    line."""
    if len(text) > MAX_CHARACTERS:
        raise _refused(f"The file has more than {MAX_CHARACTERS} characters.", None)
    try:
        _refuse_tricks(text)
        value = yaml.load(text, Loader=_YamlReader)  # noqa: S506 - a SafeLoader that reads even less
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _refused(str(error.problem or error.context), _line(mark)) from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise _refused("This is neither YAML nor JSON.", None) from None
    if not isinstance(value, dict):
        raise _refused("The file must hold names with values, as `title: Otto`.", 1)
    return value


def _refuse_tricks(text: str) -> None:
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=_YamlReader)):
        if number > MAX_PARTS:
            detail = f"The file has too many values: at most {MAX_PARTS:,} parts are read, and a"
            detail += f" table has at most {MAX_TABLE_COLUMNS:,} columns."
            raise _refused(detail, _line(event.start_mark))
        if isinstance(event, yaml.AliasEvent):
            raise _refused("References (*name) are not read.", _line(event.start_mark))
        if getattr(event, "tag", None) is not None:
            raise _refused("Tags (!name) are not read.", _line(event.start_mark))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEEP:
            raise _refused("This is nested too deeply.", _line(event.start_mark))


def _line(mark: Mark | CMark | None) -> int | None:
    return None if mark is None else int(mark.line) + 1


def _refused(detail: str, line: int | None) -> InvalidInput:
    problem = problem_entry("bad-yaml", detail, line=line)
    message = detail if line is None else f"Line {line}: {detail}"
    return InvalidInput(message, code=ErrorCode.BAD_YAML, problems=[problem])


def _plain(value: object) -> object:
    """Converts the value to dicts, lists and scalars alone."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


class _Writer(yaml.SafeDumper):
    """Writes texts of several lines as they are read, and no references."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(writer: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return writer.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None
    )


_Writer.add_representer(str, _text)


class _YamlReader(yaml.SafeLoader):
    """Reads the types of JSON: null, true and false, numbers, texts, lists, mappings."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library's own way

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        found: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    None, None, "a name must be a text", key_node.start_mark
                )
            if key in found:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key[:40]} stands here twice", key_node.start_mark
                )
            found[key] = self.construct_object(value_node, deep=True)
        return found


def _mapping(reader: _YamlReader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    return reader.construct_mapping(node, deep=True)


def _number(reader: _YamlReader, node: yaml.ScalarNode) -> float:
    return float(reader.construct_scalar(node))


for _tag, _pattern, _first in (
    ("null", r"null|~|", ["n", "~", ""]),
    ("bool", r"true|false", ["t", "f"]),
    ("int", r"-?(?:0|[1-9][0-9]{0,18})", list("-0123456789")),
    ("float", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", list("-0123456789")),
):
    _YamlReader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _first
    )
_YamlReader.add_constructor("tag:yaml.org,2002:map", _mapping)
_YamlReader.add_constructor("tag:yaml.org,2002:float", _number)
