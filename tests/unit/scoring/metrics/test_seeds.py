"""Worked examples of blog posts about these metrics, with the right numbers.

Where a post prints another number, that one is named and must not come out.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.scoring.queries import Query, judged

A, B, C, D, E, Z, NOTHING = range(7)


def places(relevances: list[int]) -> Query:
    """Items 0, 1, 2, … in this order, with these relevances and no others."""
    relevant = {item: rel for item, rel in enumerate(relevances) if rel}
    return Query(relevant, list(range(len(relevances))))


def hits_at(ranks: list[int], *, relevant: int) -> Query:
    """So many relevant items, found at these ranks."""
    ranked = [100 + place for place in range(max(ranks))]
    for item, rank in enumerate(ranks):
        ranked[rank - 1] = item
    return Query(dict.fromkeys(range(relevant), 1), ranked)


EXAMPLES = [
    ("precision@5", hits_at([1, 3], relevant=3), 0.4, None),
    ("recall@5", hits_at([1, 3], relevant=3), 0.6666666666666666, None),
    ("cg@5", places([2, 3, 3, 1, 2]), 11.0, None),
    ("dcg@5", places([2, 3, 3, 1, 2]), 6.5971714332568485, 6.64),
    ("dcg@5", places([3, 3, 2, 2, 1]), 7.1409951840957, None),
    ("ndcg@5", places([2, 3, 3, 1, 2]), 0.9238448231907443, 0.93),
    ("ndcg_exp@5", places([2, 3, 3, 1, 2]), 0.8569652888015743, None),
    ("dcg@10", hits_at([1, 2, 6, 7, 9], relevant=5), 2.6215002696767944, None),
    ("dcg@5", hits_at([1, 2, 3, 4, 5], relevant=5), 2.9484591188793923, 2.94),
    ("ndcg@10", hits_at([1, 2, 6, 7, 9], relevant=5), 0.8891085695884217, None),
    ("ndcg@5", Query({C: 1, D: 1}, [C, A, B, E, D]), 0.8503449055347546, None),
    ("ndcg@5", Query({C: 1, D: 1}, [D, A, B, E, C]), 0.8503449055347546, None),
    ("map_capped@2", Query(dict.fromkeys([1, 2, 3, 4, 5], 1), [6, 4, 7, 1, 2]), 0.25, None),
    ("map_capped@5", Query({1: 1, 2: 1}, [6, 4, 7, 1, 2]), 0.325, 0.13),
    ("dcg@4", places([2, 0, 3, 2]), 4.361353116146786, None),
    ("ndcg@4", places([2, 0, 3, 2]), 0.8288615669472547, 0.7497534568197889),
    ("ndcg_exp@4", places([2, 0, 3, 2]), 0.7497534568197889, None),
    ("recall@5", Query({A: 1, B: 1}, [A, C, D, E, NOTHING]), 0.5, None),
    ("precision@5", Query({A: 1, B: 1}, [A, C, D, E, NOTHING]), 0.2, None),
    ("map@3", Query({A: 1, B: 1}, [A, C, B]), 0.8333333333333333, 0.56),
    ("map@3", Query({A: 1, B: 1}, [C, A, B]), 0.5833333333333333, None),
    ("map_capped@5", Query({B: 1, D: 1, Z: 1}, [A, B, C, D, E]), 0.3333333333333333, None),
    ("map_capped@5", Query({B: 1, D: 1, Z: 1}, [A, C, E, B, D]), 0.21666666666666667, None),
    ("map_capped@5", Query({B: 1, D: 1, Z: 1}, [B]), 0.3333333333333333, 1.0),
    ("map_capped@3", Query({B: 1}, [B, B, B]), 1.0, 3.0),
    ("map@5", Query({A: 1}, []), 0.0, None),
    ("recall_capped@20:micro", hits_at([1], relevant=4), 0.25, None),
]


@pytest.mark.parametrize(("metric", "query", "right", "printed"), EXAMPLES)
def test_a_worked_example_has_its_right_value(
    tmp_path: Path, metric: str, query: Query, right: float, printed: float | None
) -> None:
    graded = max(query.relevant.values()) > 1
    found = float(
        judged(tmp_path, [query], [metric], graded=graded).scored.splits["all"].values[""]
    )
    assert found == pytest.approx(right, rel=1e-14, abs=0)
    assert printed is None or abs(found - printed) > 1e-3


def test_the_mean_of_the_two_lists_of_the_same_query_is_right(tmp_path: Path) -> None:
    relevant = {B: 1, D: 1, Z: 1}
    queries = [Query(relevant, [A, B, C, D, E]), Query(relevant, [A, C, E, B, D])]
    split = judged(tmp_path, queries, ["map_capped@5"]).scored.splits["all"]
    assert float(split.values[""]) == pytest.approx(0.275, rel=1e-14)
