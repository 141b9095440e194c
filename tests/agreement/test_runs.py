"""Rows that lie run by run: what was compiled, and what Polars makes of the same, to the bit."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import accumulate, groupby
from typing import TypeVar

import polars as pl
import pytest

from podium.scoring.kernel import runs
from podium.scoring.kernel.runs import counts_of_ranks, list_queries, order_hits, sums_by_key

T = TypeVar("T")

CASES = range(300)


def values_of(chance: random.Random) -> pl.Series:
    """Numbers that lie group by group, few or many."""
    groups = chance.choice([0, 1, 2, 50])
    longest = chance.choice([1, 3, 40])
    drawn = [chance.randrange(9) for _ in range(groups)]
    return pl.Series(
        [value for value in drawn for _ in range(chance.randint(1, longest))], dtype=pl.UInt32
    )


class Patched:
    """Makes something with what was compiled, and without."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    def __call__(self, make: Callable[..., T], *given: object) -> tuple[T, T]:
        compiled = make(*given)
        with self._patch.context() as without:
            without.setattr(runs, "kernel", lambda: None)
            return compiled, make(*given)


@pytest.fixture
def patched(monkeypatch: pytest.MonkeyPatch) -> Patched:
    """The two ways side by side."""
    return Patched(monkeypatch)


def test_queries_and_sessions_are_listed(patched: Patched) -> None:
    for case in CASES:
        chance = random.Random(case)
        objectives = chance.choice([1, 3])
        of_labels = values_of(chance).sort()
        splits = pl.Series([query // objectives % 3 for query in of_labels], dtype=pl.UInt8)
        found, plain = patched(list_queries, of_labels, splits, objectives)
        assert found.queries.equals(plain.queries)
        assert found.keys.equals(plain.keys)
        assert found.sessions.equals(plain.sessions)
        assert found.queries.schema == plain.queries.schema
        assert found.sessions.schema == plain.sessions.schema
        groups = [(query, len(list(group))) for query, group in groupby(of_labels)]
        assert found.queries.select("query", "labels").rows() == groups
        assert found.queries["first"].to_list() == [
            of_labels.to_list().index(query) for query, _ in groups
        ]
        of_sessions = [query // objectives for query, _ in groups]
        assert found.sessions["first"].to_list() == [
            row for row, session in enumerate(of_sessions) if session not in of_sessions[:row]
        ]
        assert found.keys.to_list() == [
            query // objectives % 3 * objectives + query % objectives for query, _ in groups
        ]


def test_ranks_are_counted_and_hits_put_in_order(patched: Patched) -> None:
    for case in CASES:
        chance = random.Random(case)
        values = values_of(chance)
        groups = [len(list(group)) for _, group in groupby(values)]
        first = pl.Series(list(accumulate(groups, initial=0))[:-1], dtype=pl.UInt32)
        drawn = [
            [chance.choice([0, rank]) for rank in chance.sample([*range(1, 3000), 65535], k=length)]
            for length in groups
        ]
        ranks = pl.Series([rank for of_run in drawn for rank in of_run], dtype=pl.UInt16)
        k = chance.choice([1, 20, 100])
        counts, plain_counts = patched(counts_of_ranks, ranks, first, k)
        assert counts.equals(plain_counts)
        assert counts.to_list() == [sum(1 <= r <= k for r in of_run) for of_run in drawn]
        hits, plain_hits = patched(order_hits, ranks, first)
        assert hits.equals(plain_hits)
        assert hits.schema == plain_hits.schema
        assert hits.rows() == [
            (first[run] + of_run.index(rank), run, rank, place)
            for run, of_run in enumerate(drawn)
            for place, rank in enumerate(sorted(filter(None, of_run)), start=1)
        ]


def test_whole_numbers_are_added_by_key(patched: Patched) -> None:
    for case in CASES:
        chance = random.Random(case)
        keys = values_of(chance)
        values = pl.Series([chance.choice([0, 7, 2**32 - 1]) for _ in keys], dtype=pl.UInt32)
        sums, plain = patched(sums_by_key, values, keys)
        assert sums == plain
        pairs = list(zip(keys, values, strict=True))
        assert sums == [
            sum(value for key, value in pairs if key == wanted)
            for wanted in range(max(keys, default=0) + 1)
        ]
