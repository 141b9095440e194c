"""The published order of candidates: one for a key, and none that tells of the targets."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl

from podium.scoring.solutions.shuffling import shuffled_within
from podium.scoring.splits import SplitRule
from tests.builders.reranking.candidates import task_by, text_of
from tests.builders.scoring.pairs import truth_of

NUMBERS = {7: [3, 2, 4, 5, 1], 3: [1, 4, 3, 5, 2]}
TEXTS = "vxyzw"


def published(pairs: list[tuple[int, int]], key: bytes = b"key") -> list[tuple[int, int]]:
    queries, items = (pl.Series(column, dtype=pl.Int32) for column in zip(*pairs, strict=True))
    return [pairs[at] for at in shuffled_within(queries, items, key=key)]


def test_an_order_is_known_for_good() -> None:
    """A server that was updated publishes the same order for the same key."""
    pairs = [(query, item) for query in (7, 3) for item in range(1, 6)]
    assert published(pairs) == [
        *((7, item) for item in NUMBERS[7]),
        *((3, item) for item in NUMBERS[3]),
    ]
    texts = pl.Series(["a"] * 5), pl.Series(["v", "w", "x", "y", "z"])
    order = shuffled_within(*texts, key=b"key")
    assert "".join(texts[1].gather(order)) == TEXTS


def test_queries_keep_their_order_and_the_order_of_rows_tells_nothing() -> None:
    dice = random.Random(1)
    pairs = [(query, item) for query in (5, 2, 9) for item in dice.sample(range(99), 7)]
    first = published(pairs)
    assert [query for query, _ in first] == [query for query, _ in pairs]
    for _ in range(5):
        dice.shuffle(pairs)
        again = published(pairs)
        for query in (5, 2, 9):
            of_query = [[pair for pair in each if pair[0] == query] for each in (first, again)]
            assert of_query[0] == of_query[1]
        seen = list(dict.fromkeys(query for query, _ in pairs))
        assert list(dict.fromkeys(query for query, _ in again)) == seen
    assert published(pairs, b"other") != published(pairs)


def test_the_position_tells_nothing_of_the_target(tmp_path: Path) -> None:
    # A log that has the clicked one first in each query, and items with small ids clicked most.
    queries, candidates = 4000, 8
    targets = {
        (query, item): int(item == 1)
        for query in range(queries)
        for item in range(1, candidates + 1)
    }
    split = SplitRule("whole", secret=b"a secret of the server")
    truth, pairs = truth_of(tmp_path, text_of(targets), task=task_by("mrr"), split=split)
    place = pl.int_range(pairs.count, eager=True) % candidates
    assert pairs.frame["key0"].to_list() == [q for q in range(queries) for _ in range(candidates)]
    clicked = place.gather(truth.frame["pair"]).filter(truth.targets(0) == 1)
    expected = queries / candidates
    counts = clicked.value_counts()["count"]
    assert len(counts) == candidates
    # Chi square with 7 degrees of freedom: above 24.3 in one of a thousand keys.
    assert float(((counts - expected) ** 2 / expected).sum()) < 24.3
    # Nor does one position tell anything of the next query's.
    pairs_seen = (clicked.head(-1) * candidates + clicked.tail(-1)).value_counts()["count"]
    expected = (queries - 1) / candidates**2
    assert float(((pairs_seen - expected) ** 2 / expected).sum()) < 103.5
