"""`podium score` on good files: each kind of task, type of column and container."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.builders.processes.typed import typed
from tests.builders.uploads.packing import FURTHER, PACKED

TABLES: dict[str, tuple[dict[str, Any], list[Any], list[Any], float]] = {
    "number": ({"metric": "rmse"}, [1.5, 2.0, 0.25], [1.5, 2.0, 0.25], 0.0),
    "integer": ({"metric": "mae"}, [1, 2, 5], [1, 2, 2], 1.0),
    "boolean": ({"metric": "accuracy"}, [True, False, True], [True, True, True], 2 / 3),
    "category": ({"metric": "accuracy"}, ["cat", "dog", "cat"], ["cat", "dog", "dog"], 2 / 3),
    "text": ({"metric": "levenshtein"}, ["ab", "c", "d"], ["ab", "cc", "d"], 1 / 3),
}
"""For each type of column: settings, the solution, answers, and their score by hand."""


def written(frame: pl.DataFrame, folder: Path, container: str) -> Path:
    """The file of a frame, whose lists are items separated by spaces where it is not Parquet."""
    path = folder / "file"
    if container.startswith("parquet"):
        frame.write_parquet(path, row_group_size=1 if container == "parquet in groups" else None)
        return path
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    texts = frame.with_columns(pl.col(lists).cast(pl.List(pl.String)).list.join(" "))
    path.write_bytes({**PACKED, **FURTHER}[container](texts.write_csv().encode()))
    return path


CONTAINERS = (*PACKED, "parquet", "parquet in groups")


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("ids", [[7, 8, 9], ["a", "b", "c"]])
@pytest.mark.parametrize("kind", TABLES)
def test_a_table_of_one_column_of_any_type_is_scored(
    tmp_path: Path, kind: str, ids: list[Any], container: str
) -> None:
    told, truth, answers, score = TABLES[kind]
    column: dict[str, Any] = {"name": "y", "type": kind}
    column |= {"values": ["cat", "dog"]} if kind == "category" else {}
    settings: dict[str, Any] = {"task": "table", "id_column": "id", "objectives": {"y": 1}, **told}
    settings |= {"table_columns": [column]}
    settings |= {"query_ids": "integer" if ids[0] == 7 else "string"}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    (tmp_path / "t.csv").write_text(pl.DataFrame({"id": ids, "y": truth}).write_csv())
    file = written(pl.DataFrame({"id": ids, "y": answers}), tmp_path, container)
    known = ("--truth", tmp_path / "t.csv", "--preset", tmp_path / "settings.json")

    done = typed("score", file, *known, "--no-history", "--json")

    assert done.code == 0, done.err
    assert done.document["score"] == pytest.approx(score)
    assert typed("validate", file, *known).code == 0


@pytest.mark.parametrize("container", [*CONTAINERS, *FURTHER])
@pytest.mark.parametrize(
    ("task", "metric", "truth", "answers", "score"),
    [
        ("ranking", "recall@2", {"user": [1, 2], "labels": ["7", "8 9"]}, [[7, 3], [4, 9]], 0.75),
        ("ranking", "mrr@2", {"user": ["a", "b"], "labels": ["7", "8"]}, [[3, 7], [8]], 0.75),
        ("rating", "mae", {"user": [1, 2], "item": [7, 8], "rating": [3.0, 4.5]}, [3, 4], 0.25),
        ("scores", "auc", {"user": [1, 2], "item": [7, 8], "click": [0, 1]}, [0.2, 0.3], 1.0),
        ("scores", "auc", {"id": [1, 2], "click": [1, 0]}, [0.2, 0.3], 0.0),
        ("rerank", "ndcg@2", {"query": [1, 1], "doc": [7, 8], "rel": [0, 1]}, [1, 2], 1.0),
    ],
)
def test_lists_and_numbers_of_pairs_are_scored(
    tmp_path: Path,
    task: str,
    metric: str,
    truth: dict[str, list[Any]],
    answers: list[Any],
    score: float,
    container: str,
) -> None:
    (tmp_path / "t.csv").write_text(pl.DataFrame(truth).write_csv())
    answered = pl.DataFrame({**truth, [*truth][-1]: answers})
    known = ("--truth", tmp_path / "t.csv", "--metric", metric, "--task", task)

    done = typed("score", written(answered, tmp_path, container), *known, "--no-history", "--json")

    assert done.code == 0, done.err
    assert done.document["score"] == pytest.approx(score)
