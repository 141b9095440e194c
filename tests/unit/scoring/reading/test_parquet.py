"""Parquet: limits from the footer before any data, the two columns and no others, then as text."""

import struct
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from podium.scoring.containers.detection import problems_of
from podium.scoring.parquet.footer import read_footer
from podium.scoring.problems import Code, FileRejected, Problem, Rejection
from podium.scoring.task import OTTO, Objective, Task
from tests.builders.processes.memory import growth_bytes
from tests.builders.scoring.parquet.thrift import chunk, metadata, parquet, zigzag
from tests.builders.scoring.submissions import GOOD, IDS, read_file, refused

LABELS = [line.split(",")[1] for line in GOOD.decode().splitlines()[1:]]
FRAME = pl.DataFrame({"session_type": IDS, "labels": LABELS})
LISTED = FRAME.with_columns(pl.col("labels").str.split(" ").cast(pl.List(pl.Int32)))
NAMES = [b"session_type", b"labels"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "upload"


def problems(file: Path, *, task: Task = OTTO) -> list[Problem]:
    with pytest.raises(FileRejected) as raised:
        read_file(file, task=task)
    return list(raised.value.rejection.problems)


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(FRAME, id="strings"),
        pytest.param(FRAME.select("labels", "session_type"), id="columns the other way round"),
        pytest.param(FRAME.cast(pl.Categorical), id="categories"),
        pytest.param(FRAME.cast({"session_type": pl.Enum(IDS)}), id="an enum"),
        pytest.param(LISTED, id="lists of int32"),
        pytest.param(LISTED.cast({"labels": pl.List(pl.Int64)}), id="lists of int64"),
        pytest.param(LISTED.cast({"labels": pl.List(pl.UInt32)}), id="lists of uint32"),
        pytest.param(LISTED.cast({"labels": pl.List(pl.String)}), id="lists of strings"),
    ],
)
@pytest.mark.parametrize("group_rows", [1, 4, 100])
def test_two_columns_become_the_text_that_says_the_same(
    file: Path, frame: pl.DataFrame, group_rows: int
) -> None:
    frame.write_parquet(file, row_group_size=group_rows)
    assert read_file(file) == GOOD


@pytest.mark.parametrize("codec", ["uncompressed", "snappy", "gzip", "zstd", "lz4", "brotli"])
def test_the_usual_codecs_are_read(file: Path, codec: Any) -> None:
    FRAME.write_parquet(file, compression=codec)
    assert read_file(file) == GOOD


def test_empty_lists_and_empty_strings_are_empty_labels(file: Path) -> None:
    for empty in (pl.lit("").alias("labels"), pl.lit([], dtype=pl.List(pl.Int64)).alias("labels")):
        FRAME.with_columns(empty).write_parquet(file)
        assert read_file(file).splitlines()[1:] == [f"{row_id},".encode() for row_id in IDS]


def test_a_file_without_rows_is_only_a_header(file: Path) -> None:
    FRAME.clear().write_parquet(file)
    assert read_file(file) == b"session_type,labels\n"
    assert refused(file) == "missing-ids"


def test_integer_ids_are_taken_where_the_only_objective_has_no_name(file: Path) -> None:
    task = Task(objectives=(Objective("", OTTO.objectives[0].weight),), id_column="user")
    pl.DataFrame({"user": [3, 1], "labels": ["1 2", ""]}).write_parquet(file)
    assert read_file(file, task=task) == b"user,labels\n3,1 2\n1,\n"


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(FRAME.drop("labels"), id="one column"),
        pytest.param(FRAME.rename({"labels": "label"}), id="another name"),
        pytest.param(FRAME.rename({"labels": "Labels"}), id="another case"),
        pytest.param(FRAME.with_row_index(), id="an index"),
        pytest.param(FRAME.with_columns(pl.struct("labels").alias("labels")), id="nested"),
        pytest.param(FRAME.with_columns(pl.lit(5.0).alias("labels")), id="floats"),
        pytest.param(FRAME.with_columns(pl.lit(5).alias("labels")), id="one integer"),
        pytest.param(FRAME.with_columns(pl.lit(b"5").alias("labels")), id="bytes"),
        pytest.param(FRAME.with_columns(pl.lit(None).alias("labels")), id="nothing"),
        pytest.param(FRAME.with_row_index("n").select(session_type="n", labels="labels"), id="ids"),
        pytest.param(LISTED.cast({"labels": pl.List(pl.Float64)}), id="lists of floats"),
        pytest.param(LISTED.select("session_type", pl.concat_list("labels").implode().first()
                                   .alias("labels")), id="lists of lists"),
        pytest.param(FRAME.with_columns(pl.lit(0).cast(pl.Datetime).alias("labels")), id="times"),
        pytest.param(FRAME.with_columns(pl.lit(1).cast(pl.Decimal(9, 2)).alias("labels")), id="dc"),
        pytest.param(pl.DataFrame({f"c{n}": [1] for n in range(200)}), id="200 columns"),
    ],
)  # fmt: skip
def test_any_other_schema_is_refused(file: Path, frame: pl.DataFrame) -> None:
    frame.write_parquet(file)
    assert refused(file) == "parquet-schema"


@pytest.mark.parametrize(
    ("footer", "code"),
    [
        (metadata(NAMES, [(9, [chunk(), chunk()])], 9), "parquet-corrupt"),
        (metadata(NAMES, [(9, [chunk(), chunk()])], 10), "parquet-corrupt"),
        (metadata(NAMES, [(-9, []), (18, [])], 9), "parquet-corrupt"),
        (metadata(NAMES, [(9, [{**chunk(), 1: b"elsewhere"}])], 9), "parquet-corrupt"),
        (metadata(NAMES, [(9, [chunk(size=-1)])], 9), "parquet-corrupt"),
        ({2: [{4: b"root"}], 3: 0}, "parquet-corrupt"),
        ({}, "parquet-corrupt"),
        (metadata([*NAMES, b"labels"], [], 0), "parquet-schema"),
        (metadata([b"labels", b"labels"], [], 0), "parquet-schema"),
        (metadata([b"c"] * 10_000, [], 0), "parquet-schema"),
        (metadata(NAMES, [(0, [chunk(), chunk()])] * 60_000, 0), "parquet-schema"),
        (metadata(NAMES, [(300_000_000, [chunk()])], 300_000_000), "too-many-rows"),
        (metadata(NAMES, [(2**62, []), (2**62, [])], 2**63 - 1), "parquet-corrupt"),
        (metadata(NAMES, [(9, [chunk(codec=3)])], 9), "parquet-codec"),
        (metadata(NAMES, [(9, [chunk(codec=99)])], 9), "parquet-codec"),
        (metadata(NAMES, [(9, [chunk(size=5 << 30)])], 9), "expanded-too-large"),
        (metadata(NAMES, [(9, [chunk(values=1 << 30)])], 9), "resource-limit"),
        (metadata(NAMES, [(9, [{**chunk(), 8: {1: {}}}])], 9), "parquet-encrypted"),
        ({**metadata(NAMES, [], 0), 8: {1: {}}}, "parquet-encrypted"),
    ],
)
def test_what_a_footer_claims_is_judged_before_any_data(
    file: Path, footer: dict[int, Any], code: str
) -> None:
    file.write_bytes(parquet(footer))
    assert refused(file) == code


def test_an_encrypted_footer_is_called_encrypted(file: Path) -> None:
    file.write_bytes(b"PARE" + bytes(50) + struct.pack("<L", 20) + b"PARE")
    assert refused(file) == "parquet-encrypted"


def test_a_footer_of_more_than_16_mib_is_not_read(file: Path) -> None:
    length = (16 << 20) + 1
    with file.open("wb") as content:
        content.write(b"PAR1")
        content.seek(length, 1)
        content.write(struct.pack("<L", length) + b"PAR1")
    problem = problems(file)[0]
    assert (str(problem.code), problem.detail) == (
        "parquet-schema",
        "the Parquet file cannot be taken: its footer is too large",
    )


def test_a_number_of_more_than_ten_bytes_is_no_number(file: Path) -> None:
    FRAME.write_parquet(file)
    content = file.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    data, footer = content[: -8 - length], content[-8 - length : -8]
    # The footer begins with its version, 1 written as 2: the same number, written longer.
    assert footer.startswith(b"\x15\x02")
    for size, readable in ((10, True), (11, False)):
        longer = b"\x15\x82" + b"\x80" * (size - 2) + b"\x00" + footer[2:]
        file.write_bytes(data + longer + struct.pack("<L", len(longer)) + b"PAR1")
        if readable:
            assert read_footer(file).rows == 9
        else:
            assert problems(file)[0].detail == "the Parquet file is damaged: its footer is damaged"


def test_rows_that_the_decoder_does_not_see_are_not_left_out_in_silence(file: Path) -> None:
    FRAME.write_parquet(file)
    content = file.read_bytes()
    length = int.from_bytes(content[-8:-4], "little")
    # To the decoder, whose numbers of fields have 16 bits, field 3 occurs twice: 9 rows, then 7.
    surplus = b"\x06" + zigzag(3 + (1 << 16)) + zigzag(7)
    file.write_bytes(
        content[:-9] + surplus + b"\0" + struct.pack("<L", length + len(surplus)) + b"PAR1"
    )
    assert (read_footer(file).rows, pl.scan_parquet(file).head(9).collect().height) == (9, 7)
    problem = problems(file)[0]
    assert (str(problem.code), problem.detail) == (
        "parquet-corrupt",
        "the Parquet file is damaged: it does not hold the rows that its footer names",
    )


def test_the_first_surplus_row_is_named(file: Path) -> None:
    FRAME.write_parquet(file)
    assert len(read_file(file, max_rows=9)) == len(GOOD)
    with pytest.raises(FileRejected) as raised:
        read_file(file, max_rows=8)
    problem = raised.value.rejection.problems[0]
    assert (str(problem.code), problem.line, problem.row) == ("too-many-rows", None, 8)


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("labels", None, "bad-label"),
        ("session_type", None, "bad-id"),
        ("labels", "1\n1_carts,2", "bad-label"),
        ("labels", "1\r", "bad-label"),
        ("labels", "1,2", "bad-label"),
        ("labels", '"1"', "bad-label"),
        ("session_type", '"1_clicks"', "bad-id"),
        ("session_type", "1_clicks,5\n1_carts", "bad-id"),
        ("labels", "7 " * 5000, "line-too-long"),
        ("session_type", "7" * 5000, "line-too-long"),
    ],
)
def test_a_cell_that_would_be_something_else_as_text_is_named_by_its_row(
    file: Path, column: str, value: str | None, code: str
) -> None:
    values = FRAME[column].to_list()
    values[5] = value
    FRAME.with_columns(pl.Series(column, values)).write_parquet(file, row_group_size=2)
    found = [(p.row, p.line, str(p.code), p.column) for p in problems(file)]
    assert found == [(5, None, code, column)]


def test_rows_are_counted_through_slices_and_row_groups(file: Path) -> None:
    labels = pl.Series("labels", ["5"] * 130_000)
    labels[120_005] = "1,2"
    labels[120_004] = "1,2"
    labels.to_frame().select(pl.lit("1_clicks").alias("session_type"), "labels").write_parquet(
        file, row_group_size=65_000
    )
    with pytest.raises(FileRejected) as raised:
        read_file(file, max_rows=10**6)
    assert [p.row for p in raised.value.rejection.problems] == [120_004, 120_005]


@pytest.mark.parametrize(
    ("value", "code"),
    [(None, "bad-label"), ([1, None], "bad-label"), ([7] * 5000, "line-too-long")],
)
def test_a_list_that_is_no_list_of_items_is_named_by_its_row(
    file: Path, value: Any, code: str
) -> None:
    values = LISTED["labels"].to_list()
    values[5] = value
    LISTED.with_columns(pl.Series("labels", values, dtype=pl.List(pl.Int64))).write_parquet(file)
    assert [(p.row, str(p.code)) for p in problems(file)] == [(5, code)]


def test_negative_and_huge_items_are_for_the_text_path_to_refuse(file: Path) -> None:
    for value in (-1, 2**31, 2**63 - 1):
        frame = LISTED.with_columns(pl.lit([value], dtype=pl.List(pl.Int64)).alias("labels"))
        frame.write_parquet(file)
        assert refused(file) == "bad-label"


def test_lines_of_the_text_are_told_as_rows(file: Path) -> None:
    FRAME.write_parquet(file)
    twice = Problem(Code.DUPLICATE_ID, "“1_a” occurs twice: on line 2 and on line 11", line=11)
    other = Problem(Code.BAD_LABEL, "“on line 3” is not an item id", line=3)
    missing = Problem(Code.MISSING_IDS, "1 of 9 ids are missing: 3_a")
    with pytest.raises(FileRejected) as raised, problems_of(file):
        raise FileRejected(Rejection((other, twice, missing), 40))
    found = raised.value.rejection
    assert [(p.line, p.row) for p in found.problems] == [(None, 1), (None, 9), (None, None)]
    assert found.problems[0].detail == "“on line 3” is not an item id"
    assert found.problems[1].detail == "“1_a” occurs twice: in row 0 and in row 9"
    assert found.count == 40


def test_a_problem_of_the_header_is_in_no_row(file: Path) -> None:
    FRAME.write_parquet(file)
    with pytest.raises(FileRejected) as raised, problems_of(file):
        raise FileRejected.because(Code.HEADER_MISMATCH, "the columns are “id,labels”", line=1)
    assert [(p.line, p.row) for p in raised.value.rejection.problems] == [(None, None)]


def test_one_long_string_in_every_row_is_found_before_anything_is_split(file: Path) -> None:
    frame = pl.DataFrame({"labels": ["1 " * 500_000]}).select(
        pl.col("labels").repeat_by(9).explode()
    )
    frame.insert_column(0, pl.Series("session_type", IDS)).write_parquet(file)
    codes: list[str] = []
    assert growth_bytes(lambda: codes.append(refused(file))) < 2 << 30
    assert codes == ["line-too-long"]


def test_one_long_category_in_every_row_is_not_written_out_for_each(file: Path) -> None:
    # 3 GB of text, had every row its own copy.
    labels = pl.Series(["1 " * 1_500_000]).cast(pl.Categorical).gather([0] * 1000)
    ids = [f"{session}_clicks" for session in range(1000)]
    pl.DataFrame({"session_type": ids, "labels": labels}).write_parquet(file)
    codes: list[str] = []
    assert growth_bytes(lambda: codes.append(refused(file))) < 2 << 30
    assert codes == ["line-too-long"]


def test_false_statistics_change_nothing(file: Path) -> None:
    FRAME.write_parquet(file, statistics=True, compression="uncompressed", row_group_size=3)
    content = file.read_bytes()
    footer_bytes = int.from_bytes(content[-8:-4], "little")
    footer = content[-8 - footer_bytes :]
    assert b"1_carts" in footer
    lie = footer.replace(b"1_carts", b"9_zzzzz").replace(b"3_orders", b"0_aaaaaa")
    file.write_bytes(content[: -8 - footer_bytes] + lie)
    assert read_file(file) == GOOD


def test_a_parquet_file_cut_at_any_byte_is_refused(file: Path) -> None:
    FRAME.write_parquet(file, row_group_size=4)
    content = file.read_bytes()
    for end in range(4, len(content)):
        file.write_bytes(content[:end])
        assert refused(file) == "parquet-corrupt"


def test_the_footer_says_what_polars_wrote(file: Path) -> None:
    LISTED.write_parquet(file, row_group_size=4, compression="zstd")
    footer = read_footer(file)
    assert footer.columns == ("session_type", "labels")
    assert (footer.rows, footer.group_rows) == (9, (4, 4, 1))
    assert [[c.values for c in group] for group in footer.chunks] == [[4, 8], [4, 8], [1, 2]]
    assert {c.codec for group in footer.chunks for c in group} == {6}
