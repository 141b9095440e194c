"""Files that are open already, read by their paths as any other."""

from __future__ import annotations

import gzip
import hashlib
import io
import zipfile
from pathlib import Path

import polars as pl
import pytest

from podium.sandbox.inputs import input_at, open_inputs

CONTENT = b"one\r\ntwo\n" * 100_000


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """An input whose path leads nowhere any more."""
    file = tmp_path / "input.csv"
    file.write_bytes(CONTENT)
    open_inputs([str(file)])
    file.unlink()
    return input_at(str(file))


def test_an_input_is_read_like_a_file_at_its_path(given: Path) -> None:
    assert given.read_bytes() == CONTENT
    assert given.stat().st_size == len(CONTENT)
    assert given.read_text().startswith("one\ntwo\n")
    with given.open() as lines:
        assert len(list(lines)) == 200_000
    with given.open("rb") as whole:
        assert hashlib.file_digest(whole, "sha256").digest() == hashlib.sha256(CONTENT).digest()
        assert whole.seek(-4, io.SEEK_END) == len(CONTENT) - 4
        assert (whole.read(), whole.read()) == (b"two\n", b"")
        with pytest.raises(ValueError, match="beginning"):
            whole.seek(-1)
    with given.open("rb", buffering=0) as raw:
        assert (raw.read(3), raw.seek(2, io.SEEK_CUR), raw.read(3)) == (b"one", 5, b"two")
    with pytest.raises(FileNotFoundError):
        given.open("r+b")


def test_readers_of_the_same_input_do_not_move_each_other(given: Path) -> None:
    with given.open("rb", buffering=0) as first, given.open("rb", buffering=0) as second:
        assert (first.read(3), second.read(5), first.read(2)) == (b"one", b"one\r\n", b"\r\n")


def test_an_input_keeps_its_name_and_has_ordinary_neighbors(given: Path) -> None:
    assert (given.name, given.suffix) == ("input.csv", ".csv")
    beside = given.with_name("other.csv")
    beside.write_text("made")
    assert (beside.read_text(), beside.read_bytes(), beside.stat().st_size) == ("made", b"made", 4)


def test_what_cannot_be_opened_is_missed_where_it_is_read(tmp_path: Path) -> None:
    open_inputs([str(tmp_path / "none")])
    with pytest.raises(FileNotFoundError):
        input_at(str(tmp_path / "none")).read_bytes()


def test_libraries_read_an_input_that_is_open(tmp_path: Path) -> None:
    frame = pl.DataFrame({"number": range(1000)})
    frame.write_parquet(tmp_path / "frame.parquet")
    (tmp_path / "text.gz").write_bytes(gzip.compress(b"text"))
    with zipfile.ZipFile(tmp_path / "text.zip", "w") as archive:
        archive.writestr("member", "text")
    names = ("frame.parquet", "text.gz", "text.zip")
    open_inputs([str(tmp_path / name) for name in names])
    parquet, packed, zipped = (input_at(str(tmp_path / name)) for name in names)
    for name in names:
        (tmp_path / name).unlink()
    for _ in range(2):
        with parquet.open("rb") as file:
            assert pl.read_parquet_metadata(file)
        with parquet.open("rb") as file:
            scanned = pl.scan_parquet(file)
        assert scanned.slice(10, 2).collect()["number"].to_list() == [10, 11]
        with parquet.open("rb") as file:
            assert pl.read_parquet(file).equals(frame)
    with packed.open("rb") as file, gzip.open(file) as text:
        assert text.read() == b"text"
    with zipped.open("rb") as file, zipfile.ZipFile(file) as members:
        assert members.read("member") == b"text"
