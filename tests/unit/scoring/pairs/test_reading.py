"""Forms of a submission of ratings, and the problems of one that is malformed."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import validate
from podium.scoring.pairs.layout import layout_of
from podium.scoring.pairs.reading import read_numbers
from podium.scoring.rows.strict import read_strictly
from podium.scoring.text.strict import SLICE_BYTES
from tests.builders.scoring.pairs import RMSE, found, pairs_of, refusal, task_by
from tests.builders.zstd import zstd

PUBLISHED = pairs_of((1, 10), (1, 11), (2, 10))
GOOD = b"user,item,rating\n1,10,4\n1,11,2.5\n2,10,-3e1\n"
NUMBERS = [4.0, 2.5, -30.0]


def predictions(folder: Path, text: bytes) -> list[float]:
    path = folder / "submission"
    path.write_bytes(text)
    return read_numbers(path, task=RMSE, published=PUBLISHED, probabilities=False)[0].to_list()


def zipped(text: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr(zipfile.ZipInfo("ratings.csv"), text)
    return whole.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.rstrip(b"\n"),
        GOOD + b"\n\n\n",
        b"user,item,rating\n2,10,-30\n1,11,2.5\n1,10,4\n",
        b"rating,user,item\n4,1,10\n2.5,1,11\n-30.00,2,10\n",
        b'"user","item","rating"\n"1","10","4"\n"1","11","2.5"\n"2","10","-3e1"\n',
        b'user,item,rating\n1,"10",4\n1,11,"+2.5"\n2,10,-3E+01\n',
        b"user,item,rating\n1,010,004\n1,0011,2.50\n2,10,-0.3e2\n",
        gzip.compress(GOOD, mtime=0),
        zstd.compress(GOOD),
        zipped(GOOD),
    ],
)
def test_what_is_accepted(tmp_path: Path, text: bytes) -> None:
    assert predictions(tmp_path, text) == NUMBERS


@pytest.mark.parametrize(
    "number",
    ["", " ", "NaN", "nan", "inf", "-inf", "Infinity", "0x10", "1_000", "1 000", '"1,000"', '"3,5"',
     " 3", "3 ", "3.", ".5", "1e", "e5", "1e5.0", "--1", "+-1", "5/2", "50%", "=1+1", "None",
     "1e400", "-1.1e100", "1" * 65, "\N{FULLWIDTH DIGIT FIVE}", "\N{MINUS SIGN}1", "5\t", "5\x00"],
)  # fmt: skip
def test_what_is_no_number(tmp_path: Path, number: str) -> None:
    text = GOOD.replace(b"2.5", number.encode())
    rejection = refusal(lambda: predictions(tmp_path, text))
    assert found(rejection) == [("bad-label", 3)]
    problem = rejection.problems[0]
    assert (problem.id, problem.column) == ("1,11", "rating")
    assert problem.hint


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        ("NaN", "finite number for every pair"),
        ("", "finite number for every pair"),
        ('"3,5"', "a point before the decimals"),
        ("1_000", "nothing between thousands"),
        (" 3", "Remove the spaces"),
        (".5", "digits on both sides"),
        ("1" * 65, "at most 64 characters"),
        ("1e400", "between -1e+100 and 1e+100"),
        ("0x10", "decimal number"),
    ],
)
def test_a_hint_says_what_to_do(tmp_path: Path, number: str, hint: str) -> None:
    rejection = refusal(lambda: predictions(tmp_path, GOOD.replace(b"2.5", number.encode())))
    assert hint in str(rejection.problems[0].hint)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (b"", [("empty-file", None)]),
        (b"\n\n", [("empty-file", 1)]),
        (b"user,item,rating\n", [("missing-ids", None)]),
        (b"1,10,4\n1,11,2\n2,10,3\n", [("header-mismatch", 1)]),
        (GOOD.replace(b"rating", b"Rating"), [("header-mismatch", 1)]),
        (GOOD.replace(b"user,item", b"user"), [("header-mismatch", 1)]),
        (GOOD.replace(b",", b";"), [("header-mismatch", 1)]),
        (GOOD.replace(b"user", b",user"), [("header-mismatch", 1)]),
        (GOOD.replace(b"user,item", b"user,user"), [("header-mismatch", 1)]),
        (GOOD.decode().encode("utf-16"), [("encoding", 1)]),
        (GOOD.replace(b"\n", b"\r"), [("line-endings", 1)]),
        (GOOD.replace(b"1,11,2.5", b"1,11"), [("row-shape", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11,2.5", b"1,11,2,5"), [("row-shape", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"01,11"), [("bad-id", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"-1,11"), [("bad-id", 3), ("missing-ids", None)]),
        (b"user,item,rating\n-2000000000,10,4\n", [("bad-id", 2), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"1.0,11"), [("bad-id", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"2147483648,11"), [("bad-id", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"1,x"), [("bad-id", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"1,12"), [("unknown-id", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"9,9"), [("unknown-id", 3), ("missing-ids", None)]),
        (GOOD.replace(b"1,11", b"1,10"), [("duplicate-id", 3), ("missing-ids", None)]),
        (GOOD + b"1,10,4\n", [("duplicate-id", 5)]),
        (GOOD + b"01,10,x\n", [("bad-id", 5), ("bad-label", 5)]),
        (GOOD.replace(b"1,11", b"\n1,11"), [("blank-line", 3)]),
        (GOOD.replace(b"2.5", b"\xff"), [("encoding", 3), ("missing-ids", None)]),
        (GOOD.replace(b"2.5", b'"2.5'), [("bad-quote", 3), ("missing-ids", None)]),
        (GOOD + b"\x1a", [("bad-character", 5)]),
        (GOOD + b"1" * 5000, [("line-too-long", 5)]),
        (GOOD + b"1,10,4\n" * 1001, [("too-many-rows", 1005)]),
        (gzip.compress(GOOD, mtime=0)[:-9], [("archive-truncated", None)]),
        (b"\xfd7zXZ\x00" + bytes(50), [("unsupported-media-type", None)]),
    ],
)
def test_what_is_refused_and_where(
    tmp_path: Path, text: bytes, problems: list[tuple[str, int | None]]
) -> None:
    assert found(refusal(lambda: predictions(tmp_path, text))) == problems


def test_a_thousand_blank_lines_before_good_rows_are_refused_and_counted(tmp_path: Path) -> None:
    text = GOOD.replace(b"\n", b"\n" * 1201, 1)
    rejection = refusal(lambda: predictions(tmp_path, text))
    assert found(rejection) == [("blank-line", line) for line in range(2, 12)]
    assert rejection.count == 1200


def test_too_many_rows_after_a_thousand_blank_lines_are_refused(tmp_path: Path) -> None:
    text = b"user,item,rating\n" + b"\n" * 1200 + b"1,10,4\n" * 1300
    rejection = refusal(lambda: predictions(tmp_path, text))
    # Blank lines are not rows: three published pairs and a thousand rows more follow them.
    assert found(rejection) == [("too-many-rows", 1 + 1200 + 3 + 1000 + 1)]
    assert str(rejection.problems[0].hint).endswith("Line 2 is wrong, too: the line is blank.")


def test_missing_pairs_are_counted_and_named_in_published_order(tmp_path: Path) -> None:
    published = pairs_of(*((user, 7) for user in range(40, 20, -1)))
    path = tmp_path / "file"
    path.write_bytes(b"user,item,rating\n39,7,1\n")
    rejection = refusal(
        lambda: read_numbers(path, task=RMSE, published=published, probabilities=False)
    )
    names = ", ".join(f"({user}, 7)" for user in (40, *range(38, 29, -1)))
    assert rejection.problems[0].detail == f"19 of 20 pairs are missing: {names}, …"
    assert rejection.count == 1


def test_a_file_for_another_test_set_is_recognized(tmp_path: Path) -> None:
    text = b"user,item,rating\n7,10,4\n8,11,2\n9,10,3\n"
    rejection = refusal(lambda: predictions(tmp_path, text))
    assert str(rejection.problems[0].hint).startswith("0 of 3 pairs match the 3 published ones")


def test_the_first_ten_problems_are_shown_by_line_whatever_they_are(tmp_path: Path) -> None:
    rows = [(user, 1) for user in range(30_000)]
    lines = ["user,item,rating", *(f"{user},{item},1" for user, item in rows)]
    # The last problem lies far behind the first ones, in another slice of the text.
    lines[5], lines[7], lines[9] = "4,1,x", "3,1,1", "900000,1,1"
    lines[29_000] = "bad"
    path = tmp_path / "file"
    path.write_text("\n".join(lines))
    assert path.stat().st_size > SLICE_BYTES
    rejection = refusal(
        lambda: read_numbers(path, task=RMSE, published=pairs_of(*rows), probabilities=False)
    )
    assert found(rejection) == [
        ("bad-label", 6),
        ("duplicate-id", 8),
        ("unknown-id", 10),
        ("row-shape", 29_001),
        ("missing-ids", None),
    ]
    assert rejection.problems[1].detail == "(3, 1) occurs twice: on line 5 and on line 8"


def test_when_every_line_is_wrong_reading_stops_and_says_so(tmp_path: Path) -> None:
    rows = [(user, 1) for user in range(5000)]
    path = tmp_path / "file"
    path.write_text("user,item,rating\n" + "".join(f"{user},1,NaN\n" for user, _ in rows))
    rejection = refusal(
        lambda: read_numbers(path, task=RMSE, published=pairs_of(*rows), probabilities=False)
    )
    assert rejection.count == 1000
    assert len(rejection.problems) == 10
    assert rejection.stopped


def test_after_a_thousand_problems_later_lines_are_no_longer_looked_at(tmp_path: Path) -> None:
    # Lines of 16 bytes: the first slice ends with the line that passes 2 ** 18 bytes.
    path = tmp_path / "file"
    path.write_bytes(GOOD[:17] + b"9999999,99999,1\n" * 20_000 + b"\n" * 50 + b"1,1,1\n")
    published = pairs_of(*((user, 1) for user in range(30_000)))
    rejection = refusal(
        lambda: read_numbers(path, task=RMSE, published=published, probabilities=False)
    )
    assert rejection.count == 1000
    hint = str(rejection.problems[0].hint)
    assert hint.startswith("0 of 16,385 pairs match the 30,000 published ones")


@pytest.mark.parametrize(("place", "recognized"), [(9, True), (10, False)])
def test_ids_are_compared_with_published_ones_for_problems_that_are_shown(
    tmp_path: Path, place: int, recognized: bool
) -> None:
    users = [f"u{number}" for number in range(12)]
    users[place] = "7"
    path = tmp_path / "file"
    path.write_text("user,item,rating\n" + "".join(f"{user},1,1\n" for user in users))
    task, published = task_by("rmse", query_ids="string"), pairs_of(("007", 1), ("008", 1))
    rejection = refusal(
        lambda: read_numbers(path, task=task, published=published, probabilities=False)
    )
    hints = [str(problem.hint) for problem in rejection.problems]
    assert any("“007” is meant" in hint for hint in hints) is recognized
    assert hints[0].startswith("0 of 12 pairs match") is not recognized


def test_lines_are_counted_on_from_block_to_block() -> None:
    rows = [f"{user},1,2\n" for user in range(2000)]
    rows[1500] = "1500,1,x\n"
    published = pairs_of(*((user, 1) for user in range(2000)))
    blocks = ["user,item,rating\n" + "".join(rows[:1000]), "".join(rows[1000:])]

    def read() -> list[pl.Series]:
        texts = iter([block.encode() for block in blocks])
        return read_strictly(texts, layout=layout_of(RMSE), published=published)

    assert found(refusal(read)) == [("bad-label", 1502)]
    blocks[1] = blocks[1].replace("x", "5")
    assert read()[0].to_list() == [2.0] * 1500 + [5.0] + [2.0] * 499


def test_the_share_of_the_pairs_that_was_read_is_told(tmp_path: Path) -> None:
    path, told = tmp_path / "file", list[float]()
    path.write_bytes(GOOD)
    read_numbers(path, task=RMSE, published=PUBLISHED, progress=told.append, probabilities=False)
    assert told == [1.0]


def test_text_ids_are_compared_as_text(tmp_path: Path) -> None:
    task = task_by(query_ids="string", item_ids="string")
    published = pairs_of(("007", "x-1"), ("7", "x-1"))
    path = tmp_path / "file"
    path.write_bytes(b"user,item,rating\n7,x-1,1\n007,x-1,2\n")
    assert read_numbers(path, task=task, published=published, probabilities=False)[0].to_list() == [
        2.0,
        1.0,
    ]
    path.write_bytes(b"user,item,rating\n7,x-1,1\n07,x-1,2\n")
    rejection = refusal(
        lambda: read_numbers(path, task=task, published=published, probabilities=False)
    )
    assert found(rejection) == [("unknown-id", 3), ("missing-ids", None)]


def test_a_rating_is_the_nearest_float_also_when_the_strict_reader_reads_it(tmp_path: Path) -> None:
    texts = ["0.1", "2.675", "1e23", "9007199254740993", "0.30000000000000004", "123456.789e-12"]
    published = pairs_of(*((1, item) for item in range(len(texts))))
    path = tmp_path / "file"
    for quote in ("", '"'):
        rows = [f"1,{item},{quote}{text}{quote}" for item, text in enumerate(texts)]
        path.write_text("\n".join(["user,item,rating", *rows]))
        read = read_numbers(path, task=RMSE, published=published, probabilities=False)[0].to_list()
        assert read == [float(text) for text in texts]


def test_validating_needs_no_truth_and_counts_rows(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(GOOD)
    counts = validate(path, task=RMSE, published=PUBLISHED, scratch=tmp_path)
    assert counts == {"rows": 3, "missing": 0, "empty": 0}


def parquet(frame: pl.DataFrame) -> bytes:
    whole = io.BytesIO()
    frame.write_parquet(whole)
    return whole.getvalue()


TABLE = pl.DataFrame({"item": [10, 11, 10], "rating": [4.0, 2.5, -30.0], "user": [1, 1, 2]})


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table,
        lambda table: table.cast({"rating": pl.Float32}),
        lambda table: table.cast({"rating": pl.Decimal(6, 2)}),
        lambda table: table.cast(pl.String),
        lambda table: table.cast({"user": pl.UInt64, "item": pl.String}),
        lambda table: table.cast({"user": pl.String}).cast({"user": pl.Categorical}),
    ],
)
def test_parquet_holds_floats_decimals_or_texts(
    tmp_path: Path, change: Callable[[pl.DataFrame], pl.DataFrame]
) -> None:
    assert predictions(tmp_path, parquet(change(TABLE))) == NUMBERS


def test_parquet_may_hold_whole_numbers(tmp_path: Path) -> None:
    table = TABLE.with_columns(rating=pl.Series([4, 2, -30], dtype=pl.Int8))
    assert predictions(tmp_path, parquet(table)) == [4.0, 2.0, -30.0]


def test_a_single_precision_float_is_the_number_that_it_is(tmp_path: Path) -> None:
    table = TABLE.with_columns(rating=pl.Series([0.1, 1e-30, 3.0e38], dtype=pl.Float32))
    exact = table["rating"].cast(pl.Float64).to_list()
    assert exact[0] != 0.1
    assert predictions(tmp_path, parquet(table)) == exact


@pytest.mark.parametrize(
    ("table", "problems"),
    [
        (TABLE.with_columns(rating=pl.Series([1.0, float("nan"), 1.0])), [("bad-label", 1)]),
        (TABLE.with_columns(rating=pl.Series([1.0, float("inf"), 1.0])), [("bad-label", 1)]),
        (TABLE.with_columns(rating=pl.Series([1.0, None, 1.0])), [("bad-label", 1)]),
        (TABLE.with_columns(user=pl.Series([1, None, 2])), [("bad-id", 1)]),
        (TABLE.with_columns(user=1), [("duplicate-id", 2), ("missing-ids", None)]),
        (TABLE.with_columns(item=pl.Series(["10", "1,1", "10"])), [("bad-id", 1)]),
        (TABLE.with_columns(user=pl.Series([1.0, 1.0, 2.0])), [("parquet-schema", None)]),
        (TABLE.with_columns(rating=pl.Series([[1.0], [1.0], [1.0]])), [("parquet-schema", None)]),
        (TABLE.with_columns(rating=pl.Series([True, True, True])), [("parquet-schema", None)]),
        (TABLE.drop("item"), [("parquet-schema", None)]),
        (TABLE.with_columns(other=1), [("parquet-schema", None)]),
        (TABLE.with_columns(item=pl.Series(["10", "1" * 5000, "10"])), [("line-too-long", 1)]),
        (pl.concat([TABLE] * 400), [("too-many-rows", 1003)]),
    ],
)  # fmt: skip
def test_parquet_is_refused_by_row(
    tmp_path: Path, table: pl.DataFrame, problems: list[tuple[str, int | None]]
) -> None:
    rejection = refusal(lambda: predictions(tmp_path, parquet(table)))
    assert found(rejection) == problems
    assert all(problem.line is None for problem in rejection.problems)
