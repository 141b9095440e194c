"""Kinds of task: all are there, at no cost, and they agree with the tasks that they describe."""

from __future__ import annotations

from dataclasses import replace

import pytest

from podium.scoring.columns import TableColumn
from podium.scoring.kinds import DEFAULT, KINDS, Kind, kind_named, kind_of
from podium.scoring.metrics import metric_for
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.pairs import task_by
from tests.house.modules import Modules
from tests.house.project import read

RMSE = task_by("rmse")

TASKS = (
    (OTTO, "session_type,labels"),
    (RMSE, "user,item,rating"),
    (replace(RMSE, item_column=""), "user,rating"),
    (
        replace(RMSE, kind="scores", context_column="context", unit="context"),
        "user,item,context,rating",
    ),
    (replace(RMSE, kind="rerank"), "user,item,rating"),
    (
        replace(RMSE, kind="table", table=(TableColumn(name="price"), TableColumn(name="area"))),
        "user,price,area",
    ),
    (
        replace(RMSE, kind="label-sets", table=(TableColumn(name="tags", type="labels"),)),
        "user,tags",
    ),
)


def test_every_kind_has_a_value() -> None:
    assert tuple(KINDS) == ("ranking", "rating", "scores", "rerank", "table", "label-sets")
    assert kind_of(DEFAULT).has_lists


def test_a_name_that_only_another_version_knows_is_of_the_usual_kind() -> None:
    assert [kind_named(name).key for name in ("rating", "sounds")] == ["rating", DEFAULT]


def test_kinds_load_no_library() -> None:
    assert Modules(read(folders=["app"])).libraries_of("podium.scoring.kinds") == set()


@pytest.mark.parametrize(
    ("task", "columns"), TASKS, ids=lambda given: getattr(given, "kind", given)
)
def test_tasks_have_the_columns_of_their_kind(task: Task, columns: str) -> None:
    assert ",".join(task.columns) == columns


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.key)
def test_metrics_that_a_kind_names_suit_it(kind: Kind) -> None:
    assert metric_for(kind.first_metric, task=kind.key, ranks=True)
    assert metric_for(kind.form_metric, task=kind.key, ranks=True)
