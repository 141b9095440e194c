"""Parquet for the compiled reader: rows are the lines that the strict reader gets, or doubted."""

from __future__ import annotations

import io
import random
import time
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import polars as pl
import pytest

from podium.scoring.kernel.library import compiled
from podium.scoring.kernel.text import Block, NotPlain, RowLines
from podium.scoring.lists import parquet_lines
from podium.scoring.lists.parquet import read_group
from podium.scoring.lists.parquet_lines import ParquetLines
from podium.scoring.task import OTTO, Task
from tests.builders.scoring.mutations import Case
from tests.builders.scoring.parquet.verdicts import (
    as_columns,
    as_text,
    compiled_verdict,
    whole_verdict,
)
from tests.builders.scoring.submissions import GOOD, IDS

LABELS = [line.split(",")[1] for line in GOOD.decode().splitlines()[1:]]
FRAME = pl.DataFrame({"session_type": IDS, "labels": LABELS})
LISTED = FRAME.with_columns(pl.col("labels").str.split(" ").cast(pl.List(pl.Int64)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "upload"


def read(file: Path, frame: pl.DataFrame, task: Task = OTTO) -> Any:
    frame.write_parquet(file, row_group_size=4)
    return compiled_verdict(file, Case("one", b"", task, [1, 2, 3]), as_columns)


def with_cell(column: str, value: Any, frame: pl.DataFrame = FRAME) -> pl.DataFrame:
    values = frame[column].to_list()
    values[5] = value
    return frame.with_columns(pl.Series(column, values, dtype=frame.schema[column]))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("labels", '"5"'),
        ("labels", '"'),
        ("labels", "5\r"),
        ("labels", "\r"),
        ("labels", "5,6"),
        ("labels", "5\n"),
        ("labels", "\n"),
        ("labels", "5\n3_orders,5"),
        ("labels", None),
        ("labels", "5 " * 3000),
        ("session_type", f'"{IDS[5]}"'),
        ("session_type", f"{IDS[5]}\r"),
        ("session_type", f"{IDS[5]},5\n{IDS[5]}"),
        ("session_type", f"{IDS[5]},"),
        ("session_type", f"\n{IDS[5]}"),
        ("session_type", ""),
        ("session_type", None),
        ("session_type", "7" * 5000),
    ],
)
def test_a_cell_that_would_be_something_else_as_text_is_doubted(
    file: Path, column: str, value: str | None
) -> None:
    # Whatever it would be as text, without its rows the file would be as good as before.
    task = replace(OTTO, missing_rows="zero")
    assert read(file, FRAME, task) is not None
    for kind in (pl.String, pl.Categorical):
        assert read(file, with_cell(column, value).cast({column: kind}), task) is None


def test_a_line_end_in_a_cell_is_doubted_though_the_rows_behind_it_are_good(file: Path) -> None:
    joined = FRAME.head(8)
    for column, value in (
        ("labels", f"5\n{IDS[8]},6"),
        ("session_type", f"{IDS[8]},6\n{IDS[5]}"),
    ):
        assert read(file, with_cell(column, value, joined)) is None


@pytest.mark.parametrize("value", [None, [None], [5, None], [-1], [2**31], [5] * 3000])
def test_a_list_that_no_line_can_hold_is_doubted(file: Path, value: Any) -> None:
    assert read(file, LISTED) is not None
    assert read(file, with_cell("labels", value, LISTED)) is None


def test_an_item_above_all_of_int64_is_doubted(file: Path) -> None:
    listed = LISTED.cast({"labels": pl.List(pl.UInt64)})
    assert read(file, listed) is not None
    assert read(file, with_cell("labels", [2**63], listed)) is None


def test_empty_cells_and_lists_are_empty(file: Path) -> None:
    for empty in (pl.lit(""), pl.lit([], dtype=pl.List(pl.Int32))):
        answers, rows, missing, empty_rows, _ = read(file, FRAME.with_columns(labels=empty))
        assert (answers, rows, missing, empty_rows) == ({n: [] for n in range(9)}, 9, 0, 9)


def test_a_file_without_rows_is_read(file: Path) -> None:
    task = replace(OTTO, missing_rows="zero")
    assert read(file, FRAME.clear(), task)[:4] == ({}, 0, 9, 0)
    assert read(file, FRAME.clear()) is None


def test_more_text_than_a_task_allows_is_doubted(file: Path) -> None:
    # The rest of the file is smaller than its text, so that the footer says nothing.
    frame = FRAME.with_columns(labels=pl.lit("7 " * 1000)).cast({"labels": pl.Categorical})
    size = sum(len(row_id) + 1 + 2000 + 1 for row_id in IDS) + len(GOOD.partition(b"\n")[0]) + 1
    assert read(file, frame, replace(OTTO, max_expanded_bytes=size)) is not None
    assert read(file, frame, replace(OTTO, max_expanded_bytes=size - 1)) is None


def test_data_that_cannot_be_decoded_is_refused_as_ever(file: Path) -> None:
    FRAME.write_parquet(file, compression="zstd", row_group_size=4)
    content = bytearray(file.read_bytes())
    at = content.index(b"\x28\xb5\x2f\xfd") + 4
    content[at : at + 8] = b"\xff" * 8
    file.write_bytes(content)
    case = Case("broken", b"", OTTO, [1, 2, 3])
    lines = ParquetLines(file, OTTO, compiled(), max_rows=9)
    assert lines.fill(Block(1000))
    with pytest.raises(NotPlain):
        lines.fill(Block(1000))
    assert [str(p.code) for p in whole_verdict(file, case).problems] == ["parquet-corrupt"]


def lines_of(ids: pl.Series, labels: pl.Series, size: int) -> list[bytes]:
    """The lines of rows, written into blocks of this size."""
    rows, block, found = RowLines(compiled(), ids, labels, 1 << 20), Block(size), []
    while rows.left:
        filled = rows.fill(block)
        assert block.bytes[filled : filled + 64] == bytes(64)
        found += bytes(block.bytes[:filled]).splitlines()
    return found


@pytest.mark.parametrize("seed", range(4))
def test_texts_of_any_size_are_written_as_they_are(seed: int) -> None:
    rng = random.Random(seed)
    sizes = [*range(70), 95, 96, 97, 127, 128, 129, 1000]
    texts = ["".join(rng.choices("0123456789 ", k=rng.choice(sizes))) for _ in range(500)]
    ids, labels = pl.Series(rng.sample(texts, 500)), pl.Series(texts)
    start = rng.randrange(100)
    expected = [f"{a},{b}".encode() for a, b in zip(ids, labels, strict=True)][start:]
    assert lines_of(ids.slice(start), labels.slice(start), 2100) == expected
    chunked = pl.concat([labels.slice(start), labels.clear()], rechunk=False)
    assert lines_of(ids.slice(start), chunked, 1 << 20) == expected


def test_numbers_of_any_size_are_written_as_they_are() -> None:
    rng = random.Random(0)
    ends = {sign * 10**power + add for power in range(19) for add in (-1, 0, 1) for sign in (1, -1)}
    others = [rng.randrange(10 ** rng.randint(1, 18)) for _ in range(5000)]
    numbers = [*ends, 2**63 - 1, -(2**63), *others]
    rng.shuffle(numbers)
    lists: list[list[int]] = [[]]
    while numbers:
        size = rng.randint(0, 6)
        lists.append(numbers[:size])
        del numbers[:size]
    labels = pl.Series(lists, dtype=pl.List(pl.Int64))
    ids = pl.Series([f"{number}" for number in range(len(lists))])
    expected = [f"{n},{' '.join(map(str, row))}".encode() for n, row in enumerate(lists)]
    assert lines_of(ids, labels, 700) == expected
    assert lines_of(ids.slice(5), labels.slice(5), 1 << 16) == expected[5:]


class Watched:
    """The reading of row groups, with the number of those that are read at the same time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at_once_bytes: int) -> None:
        self._lock, self.now, self.most = Lock(), 0, 0
        self._read = read_group
        monkeypatch.setattr(parquet_lines, "AT_ONCE_BYTES", at_once_bytes)
        monkeypatch.setattr(parquet_lines, "read_group", self)

    def __call__(self, *given: Any) -> pl.DataFrame:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.02)
        frame = self._read(*given)
        with self._lock:
            self.now -= 1
        return frame


@pytest.mark.parametrize("at_once_bytes", [1, 1 << 20])
def test_large_row_groups_are_decoded_one_at_a_time(
    file: Path, at_once_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch, at_once_bytes)
    FRAME.write_parquet(file, row_group_size=1)
    case = Case("groups", b"", OTTO, [1, 2, 3])
    found = compiled_verdict(file, case, as_columns, threads=4)
    assert found == compiled_verdict(file, case, as_text)
    assert (watched.most == 1) == (at_once_bytes == 1)


def test_threads_that_wait_for_a_group_end_when_the_reading_has_failed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch, at_once_bytes=1)
    FRAME.write_parquet(file, row_group_size=1)
    lines = ParquetLines(file, OTTO, compiled(), max_rows=9)
    lines.fill(Block(1000))
    sizes: list[int] = []
    threads = [Thread(target=lambda: sizes.append(lines.fill(Block(1000)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    while not watched.now:
        pass
    lines.stop()
    for thread in threads:
        thread.join(timeout=10)
    assert sizes == [0, 0, 0, 0]


def test_every_line_of_every_thread_is_given_once(file: Path) -> None:
    frame = pl.DataFrame({"session_type": [f"{n}_clicks" for n in range(5000)]})
    frame = frame.with_columns(labels=pl.col("session_type").str.len_bytes().cast(pl.String))
    frame.write_parquet(file, row_group_size=300)
    lines = ParquetLines(file, OTTO, compiled(), max_rows=5000)
    text = io.BytesIO()

    def work() -> None:
        block = Block(500)
        while size := lines.fill(block):
            text.write(bytes(block.bytes[:size]))

    threads = [Thread(target=work) for _ in range(3)]
    lines.fill(Block(100))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = sorted(frame.write_csv(include_header=False).encode().splitlines())
    assert sorted(text.getvalue().splitlines()) == expected
