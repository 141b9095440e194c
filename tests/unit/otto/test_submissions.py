"""The form and the quality of synthetic submissions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from podium.otto.submissions import RowOrder, write_submission
from podium.otto.synthetic import synthesize
from tests.builders.otto.predictions import body, recalls

SESSIONS = 4_000


@pytest.fixture(scope="module")
def interleaved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("submission") / "interleaved.csv"
    assert write_submission(path, sessions=SESSIONS) == 3 * SESSIONS
    return path


def test_every_published_id_has_a_row_of_twenty_items(interleaved: Path) -> None:
    rows = body(interleaved)
    assert [row.split(",")[0] for row in rows[:4]] == [
        "12899779_clicks",
        "12899779_carts",
        "12899779_orders",
        "12899780_clicks",
    ]
    assert len({row.split(",")[0] for row in rows}) == 3 * SESSIONS
    assert all(re.fullmatch(r"\d{8}_[a-z]+,\d+( \d+){19}", row) for row in rows)


def test_items_of_a_row_are_distinct_with_few_exceptions(interleaved: Path) -> None:
    lists = [row.split(",")[1].split(" ") for row in body(interleaved)]
    assert sum(len(set(items)) < 20 for items in lists) < len(lists) / 100


def test_all_clicks_come_first_when_rows_are_ordered_by_type(
    interleaved: Path, tmp_path: Path
) -> None:
    path = tmp_path / "by-type.csv"
    write_submission(path, sessions=SESSIONS, order="by-type")
    rows = body(path)
    types = [row.split(",")[0].split("_")[1] for row in rows]
    assert types == ["clicks"] * SESSIONS + ["carts"] * SESSIONS + ["orders"] * SESSIONS
    assert rows[1].startswith("12899780_clicks,")
    assert sorted(rows) == sorted(body(interleaved))


def test_shuffled_rows_are_the_same_rows_in_no_order(interleaved: Path, tmp_path: Path) -> None:
    path = tmp_path / "shuffled.csv"
    write_submission(path, sessions=SESSIONS, order="shuffled")
    ordered, shuffled = body(interleaved), body(path)
    assert sorted(shuffled) == sorted(ordered)
    in_place = sum(one == other for one, other in zip(ordered, shuffled, strict=True))
    assert in_place < 20


@pytest.mark.parametrize("order", ["interleaved", "shuffled"])
def test_the_share_of_labels_that_are_hit_is_the_one_asked_for(
    order: RowOrder, tmp_path: Path
) -> None:
    labels = synthesize(tmp_path, sessions=SESSIONS, labels_only=True).test_labels
    path = tmp_path / "submission.csv"
    asked = {"clicks": 0.3, "carts": 0.8, "orders": 0.5}
    write_submission(path, sessions=SESSIONS, order=order, recalls=asked)
    assert recalls(path, labels) == pytest.approx(asked, abs=0.06)
