"""Names in the lines of a form of settings, in quotes where they would be taken apart."""

from __future__ import annotations

import csv
import re

_APART = re.compile(r'[\s,:"]')
_WORD = re.compile(r'"((?:[^"]|"")+)"|([^\s,]+)')
_NAMED = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^:]*?))\s*(?::(.*))?')


def shown_name(name: str) -> str:
    """Formats a name for a line, in quotes where it has a space, a comma, a colon or a quote."""
    if not _APART.search(name):
        return name
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def words_in(line: str) -> list[str]:
    """Splits a line at spaces and commas that do not stand in quotes.

    >>> words_in('"Fertilizer Name" 1, map_capped@3')
    ['Fertilizer Name', '1', 'map_capped@3']
    """
    return [plain or quoted.replace('""', '"') for quoted, plain in _WORD.findall(line)]


def names_under(line: str) -> tuple[str, list[str]]:
    """Splits a line into a name, and the names that follow its colon, separated by commas.

    >>> names_under('breed: cat, "dog, small"'), names_under('"a: b": a: b')
    (('breed', ['cat', 'dog, small']), ('a: b', ['a: b']))
    """
    found = _NAMED.fullmatch(line)
    if found is None:
        return line.strip(), []
    quoted, plain, others = found.groups()
    name = plain if quoted is None else quoted.replace('""', '"')
    (fields,) = csv.reader([others or ""], skipinitialspace=True) if others else ([],)
    return name, [field.strip() for field in fields if field.strip()]
