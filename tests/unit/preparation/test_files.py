"""Files in all the forms that people have, and what is said of bad ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from podium import zstd_library
from podium.preparation.options import ColumnChoice
from podium.preparation.preparing import statistics
from podium.preparation.sessions import RawFileRefused
from tests.builders.preparation.interactions import labels_of, prepared, rated, train_of

ROWS = [(1, 10, 5, 881250949), (1, 11, 3, 881250950), (2, 10, 4, 881250951), (2, 12, 2, 881250940)]
TRAIN, LABELS = [(1, 10), (2, 12)], [(1, 11), (2, 10)]


def _joined(sign: str, header: str = "") -> str:
    return header + "".join(f"{sign.join(map(str, row))}\n" for row in ROWS)


FORMS = {
    "u.data": _joined("\t"),
    "ratings.dat": _joined("::"),
    "ratings.csv": _joined(",", "userId,movieId,rating,timestamp\n"),
    "semicolons.csv": _joined(";", "user_id;item_id;stars;time\n"),
    "windows.csv": _joined(",", "\ufeffuser,item,rating,timestamp\n").replace("\n", "\r\n"),
    "no-end.csv": _joined(",").rstrip(),
    "lines.jsonl": "".join(
        json.dumps(dict(zip(("t", "user", "item", "ts"), (0, *row[:2], row[3]), strict=True)))
        + "\n"
        for row in ROWS
    ),
    "quoted.csv": "user,note,item,ts\n" + "".join(f'{u},"a, b",{i},{t}\n' for u, i, _, t in ROWS),
    "dates.csv": "user,item,date\n"
    + "".join(f"{u},{i},2020-01-0{t % 10 + 1} 10:00:00\n" for u, i, _, t in ROWS if t != 881250949)
    + "1,10,2019-12-31\n",
    "three.csv": "".join(f"{u},{i},{t}\n" for u, i, _, t in ROWS),
    "decimal.csv": "user,item,ts\n" + "".join(f"{u},{i},{t}.0\n" for u, i, _, t in ROWS),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_known_by_its_beginning(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(FORMS[name], newline="")
    made = prepared(file, tmp_path / "out")
    assert train_of(made) == TRAIN
    assert labels_of(made.datasets[0]) == LABELS


@pytest.mark.parametrize("name", ["u.data", "ratings.dat", "lines.jsonl"])
def test_a_compressed_file_is_the_same(tmp_path: Path, name: str) -> None:
    packed = {"gz": gzip.compress(FORMS[name].encode())}
    if zstd_library.IS_THERE:
        packed["zst"] = zstd_library.zstd.compress(FORMS[name].encode())
    for ending, content in packed.items():
        file = tmp_path / f"{name}.{ending}"
        file.write_bytes(content)
        made = prepared(file, tmp_path / ending)
        assert train_of(made) == TRAIN


def test_parquet_of_numbers_and_of_texts(tmp_path: Path) -> None:
    frame = pl.DataFrame(ROWS, schema=["user", "item", "rating", "timestamp"], orient="row")
    moments = pl.from_epoch("timestamp", time_unit="s")
    frame.with_columns(moments).write_parquet(tmp_path / "a.parquet")
    made = prepared(tmp_path / "a.parquet", tmp_path / "a")
    assert train_of(made) == TRAIN
    texts = frame.cast({"user": pl.String, "item": pl.String}).cast({"item": pl.Categorical})
    texts.write_parquet(tmp_path / "b.parquet")
    assert train_of(prepared(tmp_path / "b.parquet", tmp_path / "b")) == TRAIN


def test_columns_by_position_and_by_name(tmp_path: Path) -> None:
    file = tmp_path / "odd.csv"
    file.write_text("".join(f"{t},{i},{u}\n" for u, i, _, t in ROWS))
    choice = ColumnChoice(user="3", item="2", timestamp="1")
    assert train_of(prepared(file, tmp_path / "a", source=choice)) == TRAIN
    file.write_text("when,what,who\n" + file.read_text())
    choice = ColumnChoice(user="who", item="what", timestamp="1")
    assert train_of(prepared(file, tmp_path / "b", source=choice)) == TRAIN


def test_one_id_with_a_leading_zero_makes_all_of_them_texts(tmp_path: Path) -> None:
    rows = [(user, item, 3, 10**9) for user in range(2000) for item in ("7", "8")]
    file = rated(tmp_path / "r.csv", [*rows, ("5", "07", 3, 10**9)])
    train = prepared(file, tmp_path).datasets[0].scan_train().collect()
    assert train.schema["item"] == pl.String
    assert train.schema["user"] == pl.Int64
    assert train["item"].n_unique() == 3


BAD = {
    "user,item,rating\n1,2,3\n1,x y,3\n": (3, "the item “x y” is not an id"),
    "user,item,rating\n1,2,3\n1,,3\n": (3, "there is no item"),
    "user,item,rating\n1,2,3\n1,3,great\n": (3, "the rating “great” is not a finite number"),
    "user,item,rating\n1,2,3\n1,3,nan\n": (3, "the rating “nan” is not a finite number"),
    "user,item,timestamp\n1,2,3\n1,3,later\n": (3, "the time “later” is not a"),
    "user,item,timestamp\n1,2,3\n1,3,2.x\n": (3, "the time “2.x” is not a"),
    "user,item,rating\n1,2,3\n1,3\n": (3, "2 fields instead of 3"),
    "user,item,rating\n1,2,3\n1,3,4,5\n": (3, "4 fields instead of 3"),
    "user,item,rating\n1,2,3\n\n1,3,4\n": (3, "the line is blank"),
    "user,item\n1,2\n1,caf\u00e9\n": (3, "the item “café” is not an id"),
    "1::2::3\n1::2\n": (2, "2 fields instead of 3"),
    '{"user": 1, "item": 2}\n{"user": 1\n': (2, "the line is not JSON"),
    '{"user": 1, "item": 2}\n{"user": 1}\n': (2, "there is no item"),
    '{"user": 1, "item": 2}\n[1]\n': (2, "the line is not a JSON object"),
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_line_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad"
    file.write_text(text)
    with pytest.raises(RawFileRefused) as refused:
        statistics(file, ColumnChoice(), work=tmp_path)
    line, detail = BAD[text]
    problem = refused.value.problems[0]
    assert problem["line"] == line
    assert detail in problem["detail"]


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"user,item\n1,2\n3,\xe9\n")
    with pytest.raises(RawFileRefused, match="not UTF-8") as refused:
        statistics(tmp_path / "bad", ColumnChoice(), work=tmp_path)
    assert refused.value.problems[0]["line"] == 3


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "there is no interaction"),
        ("user,item\n", "there is no interaction"),
        ("who,item\n1,2\n", "no column is known as the user"),
        ("user,uid,item\n1,2,3\n", "user and uid may both be the user"),
        ("user,user,item\n1,2,3\n", "a column is named twice"),
        ("alone\n1\n", "no separator is found"),
    ],
)
def test_a_file_without_its_columns_is_refused(tmp_path: Path, text: str, detail: str) -> None:
    (tmp_path / "bad").write_text(text)
    with pytest.raises(RawFileRefused, match=detail):
        statistics(tmp_path / "bad", ColumnChoice(), work=tmp_path)


def test_a_cut_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(FORMS["u.data"].encode() * 99)[:-20])
    with pytest.raises(RawFileRefused, match="cut off"):
        statistics(tmp_path / "cut.gz", ColumnChoice(), work=tmp_path)
