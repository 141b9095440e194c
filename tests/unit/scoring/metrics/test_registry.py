"""Tables keyed by metric have those of the registry: all, or all of some kinds; selections of
metrics name no others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from podium.scoring.metrics import REGISTRY, key_of
from tests.places import ROOT

KEYS = frozenset[str]().union(*REGISTRY.values())

WHOLE = [
    frozenset[str]().union(*chosen)
    for count in range(1, len(REGISTRY) + 1)
    for chosen in combinations(REGISTRY.values(), count)
]
"""The sets of metrics that a table may have: all, or all of some kinds."""

QUOTED = re.compile(r'"([a-z][a-z0-9_]*)[@:\w]*"')


def faults_of(text: str) -> Iterator[str]:
    """The faults of each table and each selection of metrics in a Python file."""
    if len(KEYS & set(QUOTED.findall(text))) < 3:
        return
    for node in ast.walk(ast.parse(text)):
        parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        names = [part.value for part in parts if isinstance(part, ast.Constant)]
        keys = [key_of(name) for name in names if isinstance(name, str)]
        known = KEYS.intersection(keys)
        if len(known) < 3 or 2 * len(known) <= len(set(keys)):
            continue
        yield from (f"there is no metric {key}" for key in keys if key not in KEYS)
        if isinstance(node, ast.Dict) and known not in WHOLE:
            yield f"line {node.lineno} is a table of {len(known)} metrics: say it on their pages"


def test_no_table_lacks_a_metric_and_no_selection_names_one_that_there_is_not() -> None:
    found = {
        str(path.relative_to(ROOT)): faults
        for folder in ("app", "docs")
        for path in (ROOT / folder).rglob("*.py")
        if (faults := list(faults_of(path.read_text())))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ('A = ("rmse", "mae", "ndcg@10")', []),
        ('A = ("rmse", "mae", "ndcg@10", "luck@10")', ["there is no metric luck"]),
        (
            'A = {"rmse": 1, "mae": 2, "ndcg": 3}',
            ["line 1 is a table of 3 metrics: say it on their pages"],
        ),
        (repr(dict.fromkeys(sorted(KEYS), 1)).replace("'", '"'), []),
        ('A = {"rmse": 1, "days": 2, "users": 3, "mae": 1, "map": 3, "items": 4}', []),
    ],
)
def test_faults_of_tables_are_found(text: str, faults: list[str]) -> None:
    assert list(faults_of(text)) == faults
