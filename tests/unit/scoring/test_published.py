"""Places of session ids, whatever their gaps are, and the stored form of published rows."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.published import IdPlaces
from podium.scoring.rows.keys import PublishedRows


@pytest.mark.parametrize("step", [1, 3, 1000])
@pytest.mark.parametrize("shuffled", [False, True])
def test_ids_find_their_places_and_no_others_do(step: int, shuffled: bool) -> None:
    ids = list(range(7, 7 + 200 * step, step))
    if shuffled:
        random.Random(step).shuffle(ids)
    numbers = IdPlaces(pl.Series(ids, dtype=pl.Int32))
    asked = [*ids, 0, 6, 8, max(ids) + 1, 2**31 - 1]
    expected = {each: place for place, each in enumerate(ids)}
    found = numbers.number(pl.Series(asked, dtype=pl.Int32))
    assert found.to_list() == [expected.get(each) for each in asked]
    assert found.dtype == pl.UInt32


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["user"], ["key0"]),
        (["user", "item"], ["key0", "key1"]),
        (["user", "item", "context"], ["key0", "key1", "key2"]),
    ],
)
def test_published_rows_are_stored_as_they_were_when_all_were_pairs(
    names: list[str], keys: list[str], tmp_path: Path
) -> None:
    columns = [pl.Series([7, 3], dtype=pl.Int32), pl.Series(["a", "b"]), pl.Series(["x", "y"])]
    former, stored = tmp_path / "former", tmp_path / "stored"
    pl.DataFrame(dict(zip(names, columns, strict=False))).write_parquet(former, compression="zstd")
    published = PublishedRows.read(former)
    assert published.frame.columns == keys
    published.write(stored)
    assert stored.read_bytes() == former.read_bytes()
