"""Item files: what is accepted, what is refused on which line, and what is kept."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.items import ItemFile, ItemFileCorrupt
from podium.scoring.items_reading import read_item_file
from podium.scoring.problems import FileRejected
from podium.scoring.task import OTTO

TEXT = replace(OTTO, item_ids="string")


def read(
    folder: Path, text: str | bytes, users: int | None = None, task: object = OTTO
) -> ItemFile:
    path = folder / "items"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_item_file(path, task=task, training_users=users)  # type: ignore[arg-type]


def problems(folder: Path, text: str | bytes, users: int | None = None) -> list[tuple[str, object]]:
    """Codes and places of a refusal."""
    with pytest.raises(FileRejected) as refused:
        read(folder, text, users)
    found = refused.value.rejection.problems
    return [(problem.code.value, problem.line or problem.row) for problem in found]


def test_items_are_sorted_and_keep_users_and_features(tmp_path: Path) -> None:
    items = read(tmp_path, "price,item,users,new\n1.5,7,3,1\n,3,0,\n-2e1,005,10,0\n", users=10)
    assert items.frame.rows() == [(3, 0, None, None), (5, 10, -20.0, 0.0), (7, 3, 1.5, 1.0)]
    assert items.summary() == {
        "items": 3,
        "item_ids": "integer",
        "training_users": 10,
        "features": ["price", "new"],
        "without_features": 1,
        "without_users": 1,
        "tells": ["features", "items", "users"],
    }


def test_a_catalogue_alone_is_enough(tmp_path: Path) -> None:
    assert read(tmp_path, "item\n9\n0\n").tells == {"items"}


def test_text_items_keep_their_zeros(tmp_path: Path) -> None:
    items = read(tmp_path, "item\n0706016001\n706016001\nb-7\n", task=TEXT)
    assert items.frame["item"].to_list() == ["0706016001", "706016001", "b-7"]


def test_any_container_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, gzip.compress(b"\xef\xbb\xbfitem,a\r\n1,2\r\n")).size == 1
    pl.DataFrame({"item": [4, 2], "users": [1, 2], "a": [0.1, None]}).write_parquet(
        tmp_path / "items.parquet"
    )
    items = read_item_file(tmp_path / "items.parquet", task=OTTO, training_users=2)
    assert items.frame.rows() == [(2, 2, None), (4, 1, 0.1)]


@pytest.mark.parametrize(
    ("text", "users", "expected"),
    [
        ("", None, [("empty-file", None)]),
        ("item\n", None, [("empty-file", None)]),
        ("aid\n1\n", None, [("header-mismatch", 1)]),
        ("item,item\n1,1\n", None, [("header-mismatch", 1)]),
        ("item,a b\n1,1\n", None, [("header-mismatch", 1)]),
        ("item,\n1,1\n", None, [("header-mismatch", 1)]),
        ("item,users\n1,1\n", None, [("header-mismatch", 1)]),
        ("item,a\n1,1\n", 5, [("header-mismatch", 1)]),
        ("item\n1\n2\n1\n1\n", None, [("duplicate-id", 4), ("duplicate-id", 5)]),
        ("item\n1\n01\n", None, [("duplicate-id", 3)]),
        ("item\n1 2\n\n", None, [("bad-label", 2)]),
        ("item\n-1\nx\n3000000000\n", None, [("bad-label", 2), ("bad-label", 3), ("bad-label", 4)]),
        ("item,a\n,1\n", None, [("bad-label", 2)]),
        ("item,users\n1,6\n2,-1\n3,\n4,1.0\n5,5\n", 5, [("bad-number", n) for n in (2, 3, 4, 5)]),
        (
            "item,a,b\n1,,2\n2,nan,1\n3,inf,1\n4,0x1,1\n",
            None,
            [("bad-number", n) for n in range(2, 6)],
        ),
        ("item,a\n1,1_0\n2,1e999\n3,1 2\n4,red\n", None, [("bad-number", n) for n in range(2, 6)]),
        ("item,a\n1\n", None, [("row-shape", 2)]),
        (",".join(["item", *(f"f{n}" for n in range(1025))]), None, [("header-mismatch", 1)]),
    ],
)
def test_what_is_wrong_is_named_with_its_line(
    tmp_path: Path, text: str, users: int | None, expected: list[tuple[str, object]]
) -> None:
    assert problems(tmp_path, text, users) == expected


def test_after_a_thousand_bad_items_reading_stops(tmp_path: Path) -> None:
    with pytest.raises(FileRejected) as refused:
        read(tmp_path, "item\n" + "x\n" * 1001)
    assert refused.value.rejection.count == 1000


@pytest.mark.parametrize(("text", "line"), [("item\n1\n2\n3\n4\n", 5), ("item,a,b\n1,,\n2,,\n", 3)])
def test_the_first_item_too_many_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, line: int
) -> None:
    monkeypatch.setattr("podium.scoring.items_reading.MAX_ITEMS", 3)
    monkeypatch.setattr("podium.scoring.items_reading.MAX_FEATURE_VALUES", 3)
    assert problems(tmp_path, text) == [("too-many-rows", line)]


@pytest.mark.parametrize("users", [0, 2**31])
def test_training_users_are_counted_from_1_to_the_largest_number(
    tmp_path: Path, users: int
) -> None:
    with pytest.raises(ValueError, match="training users: 1 to 2,147,483,647"):
        read(tmp_path, "item,users\n1,0\n", users)


def test_a_parquet_file_is_refused_by_rows(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    pl.DataFrame({"item": [1, 2, 1]}).write_parquet(path)
    assert problems(tmp_path, path.read_bytes()) == [("duplicate-id", 2)]


def test_what_is_stored_comes_back_and_equal_content_gives_equal_bytes(tmp_path: Path) -> None:
    first = read(tmp_path, "item,users,a\n1,2,0.5\n2,0,\n", users=4)
    second = read(tmp_path, "a,users,item\n,0,2\n0.50,2,1\n", users=4)
    second = ItemFile(second.frame.select(first.frame.columns), 4)
    sha256 = first.write(tmp_path / "first")
    assert second.write(tmp_path / "second") == sha256
    stored = ItemFile.load(tmp_path / "first", sha256=sha256, task=OTTO)
    assert stored.frame.equals(first.frame)
    assert stored.training_users == 4
    assert ItemFile(first.frame, 5).write(tmp_path / "third") != sha256


def test_other_bytes_and_other_kinds_of_items_are_not_loaded(tmp_path: Path) -> None:
    sha256 = read(tmp_path, "item\n1\n").write(tmp_path / "stored")
    with pytest.raises(ItemFileCorrupt):
        ItemFile.load(tmp_path / "stored", sha256=sha256, task=TEXT)
    with pytest.raises(ItemFileCorrupt):
        ItemFile.load(tmp_path / "stored", sha256="0" * 64, task=OTTO)


@pytest.mark.parametrize("largest", [9, 2**31 - 1])
def test_items_have_numbers_and_all_others_share_one(largest: int) -> None:
    items = ItemFile(pl.DataFrame({"item": pl.Series([0, 5, largest], dtype=pl.Int32)}))
    asked = pl.Series([5, largest, 0, 1, 2**31 - 2, largest - 1], dtype=pl.Int32)
    assert items.numbers(asked).to_list() == [1, 2, 0, 3, 3, 3]
