"""Rows written in every container are the rows that are read back."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.problems import FileRejected
from podium.scoring.writing import container_of, write_lines, write_rows
from tests.builders.zstd import zstd

PORTIONS = [
    pl.DataFrame({"id": ["1_clicks", "1_carts"], "labels": ["5 6", ""]}),
    pl.DataFrame({"id": ["2,x"], "labels": ["7"]}),
]
TEXT = b'id,labels\n1_clicks,5 6\n1_carts,\n"2,x",7\n'


def text_of(path: Path) -> bytes:
    raw = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(raw)
    if path.suffix == ".zst":
        return zstd.decompress(raw)
    return raw


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.csv.zst"])
def test_text_is_packed_as_its_name_says_the_same_every_time(name: str, tmp_path: Path) -> None:
    out = tmp_path / name
    raw = set()
    for _ in range(2):
        assert write_rows(iter(PORTIONS), out, container_of(out)) == 3
        raw.add(out.read_bytes())
    assert text_of(out) == TEXT
    assert len(raw) == 1


def test_parquet_holds_the_same_rows_in_order(tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    assert write_rows(iter(PORTIONS), out, container_of(out)) == 3
    assert pl.read_parquet(out).equals(pl.concat(PORTIONS))
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.csv.zst", "rows.parquet"])
def test_lines_become_the_same_files_as_rows(name: str, tmp_path: Path) -> None:
    rows = [
        pl.DataFrame({"id": ["1_clicks", "007", "null"], "labels": ["5 6", "", "NaN 1e5"]}),
        pl.DataFrame({"id": ["2_x"], "labels": ["7"]}),
    ]
    lines = [memoryview(b"1_clicks,5 6\n007,\nnull,NaN 1e5\n"), memoryview(b"2_x,7\n")]
    of_rows, of_lines = tmp_path / f"1-{name}", tmp_path / f"2-{name}"
    write_rows(iter(rows), of_rows, container_of(of_rows))
    write_lines(("id", "labels"), iter(lines), of_lines, container_of(of_lines))
    assert of_lines.read_bytes() == of_rows.read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


def test_without_a_library_for_zstd_another_name_is_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podium.zstd_library.IS_THERE", False)
    with pytest.raises(FileRejected) as raised:
        write_rows(iter(PORTIONS), tmp_path / "rows.csv.zst", "zst")
    problem = raised.value.rejection.problems[0]
    assert str(problem.code) == "archive-unsupported"
    assert problem.detail == (
        "rows.csv.zst cannot be written: this Python was built without zstd. Name it .gz."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_whole_does_not_appear(tmp_path: Path) -> None:
    def broken() -> object:
        yield PORTIONS[0]
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        write_rows(broken(), tmp_path / "rows.csv", "plain")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
