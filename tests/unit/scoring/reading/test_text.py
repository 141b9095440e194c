"""Text level: encodings, line ends, blank and endless lines, files that are not CSV at all."""

import io
import tracemalloc
from collections.abc import Iterator

import pytest

from podium.scoring.lists.lines import LineCounts, normalize
from podium.scoring.problems import FileRejected
from podium.scoring.task import OTTO
from tests.builders.scoring.submissions import (
    GOOD,
    HEADER,
    PUBLISHED,
    ROWS,
    problems,
    read,
    rejection,
    with_row,
)

BOM = b"\xef\xbb\xbf"


def test_a_good_file_is_accepted_and_comes_out_as_it_went_in() -> None:
    assert read(GOOD) == (LineCounts(rows=9, missing=0, empty=0), GOOD)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BOM + GOOD, id="byte order mark"),
        pytest.param(GOOD.replace(b"\n", b"\r\n"), id="CR LF"),
        pytest.param(GOOD.replace(b"\n", b"\r\n", 4), id="LF and CR LF mixed"),
        pytest.param(BOM + GOOD.replace(b"\n", b"\r\n"), id="mark and CR LF"),
        pytest.param(GOOD[:-1], id="no final line end"),
        pytest.param(GOOD + b"\n\n\n", id="blank lines at the end"),
        pytest.param(GOOD + b"\r\n\r\n", id="blank CR LF lines at the end"),
        pytest.param(GOOD + b"\n" * 5000, id="more blank lines at the end than rows are allowed"),
    ],
)
def test_harmless_habits_of_programs_change_nothing(text: bytes) -> None:
    assert read(text) == (LineCounts(rows=9, missing=0, empty=0), GOOD)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(b"", [(None, "empty-file")], id="no bytes"),
        pytest.param(b"\n", [(1, "empty-file")], id="one line end"),
        pytest.param(b"\r\n", [(1, "empty-file")], id="one CR LF"),
        pytest.param(BOM, [(1, "empty-file")], id="only the mark"),
        pytest.param(b"\n" * 3_000_000, [(1, "empty-file")], id="three million line ends"),
        pytest.param(HEADER, [(None, "missing-ids")], id="header only"),
        pytest.param(HEADER[:-1], [(None, "missing-ids")], id="header without line end"),
        pytest.param(BOM + BOM + GOOD, [(1, "header-mismatch")], id="two marks"),
        pytest.param(b"\n" + GOOD, [(1, "header-mismatch")], id="blank first line"),
        pytest.param(GOOD.decode().encode("utf-16"), [(1, "encoding")], id="UTF-16 with mark"),
        pytest.param(GOOD.decode().encode("utf-16-le"), [(1, "encoding")], id="UTF-16LE"),
        pytest.param(GOOD.decode().encode("utf-16-be"), [(1, "encoding")], id="UTF-16BE"),
        pytest.param(GOOD.decode().encode("utf-32"), [(1, "encoding")], id="UTF-32"),
        pytest.param(GOOD.replace(b"\n", b"\r"), [(1, "line-endings")], id="CR only"),
        pytest.param(b"\0" * 100, [(1, "not-csv")], id="NULs"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", [(1, "not-csv")], id="PNG"),
        pytest.param(bytes(range(256)) * 40, [(1, "not-csv")], id="all bytes"),
        pytest.param(b"<!DOCTYPE html>\n<html>", [(1, "not-csv")], id="HTML"),
        pytest.param(b"\n  <html>", [(1, "not-csv")], id="HTML after a blank line"),
        pytest.param(b'<?xml version="1.0"?>', [(1, "not-csv")], id="XML"),
        pytest.param(b'{"session": 1}\n{"session": 2}', [(1, "header-mismatch")], id="NDJSON"),
        pytest.param(b"[1, 2]", [(1, "header-mismatch")], id="JSON"),
        pytest.param(b"sep=,\n" + GOOD, [(1, "header-mismatch")], id="Excel's sep line"),
        pytest.param(b"s\xe9ssion,labels\n", [(1, "encoding")], id="Latin-1 header"),
        pytest.param(b"," * 10_000, [(1, "header-mismatch")], id="commas as header"),
        pytest.param(b"1" * 100_000, [(1, "line-too-long")], id="no line end at all"),
        pytest.param(GOOD.replace(b"\n", b" ") * 100, [(1, "line-too-long")], id="rows in a line"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_on_line_1(
    text: bytes, expected: list[tuple[int | None, str]]
) -> None:
    assert problems(text) == expected


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        ("session_type,items", "Rename “items” to “labels”."),
        ('"labels", uid', "Rename “uid” to “session_type”."),
        ("session_type,", "A column is missing: “labels”."),
        ("session_type", "A column is missing: “labels”."),
        ("labels,items,others", "A column is missing: “session_type”."),
        ("session_type,Labels", "Write the column names exactly so: same case, no spaces around"),
        ("session_type,labels,items", "Remove all other columns. With pandas, use index=False."),
        ("user,items", "The first line must hold exactly these two column names, separated by"),
    ],
)
def test_a_header_that_one_other_name_would_make_right_is_told_that_name(
    header: str, hint: str
) -> None:
    (problem,) = rejection(GOOD.replace(HEADER, f"{header}\n".encode())).problems
    assert str(problem.hint).startswith(hint)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (b"1_carts,5\x00", "bad-label"),
        (b"1_car\x00ts,5", "bad-id"),
        (b"1_carts,5\xff 6", "encoding"),
        (b"1_carts,\xc0\xaf", "encoding"),
        (b"1_carts,\xed\xa0\x80", "encoding"),
        (b"1_carts,5\xc2\xa06", "bad-label"),
        (b"1_carts,5\xe2\x80\x8b", "bad-label"),
        (b"1_carts,\xef\xbc\x95", "bad-label"),
        (b"1\xc2\xa0_carts,5", "bad-id"),
        (BOM + b"1_carts,5", "bad-id"),
        (b"1_carts,5\x1a", "bad-character"),
        (b"\x1a", "bad-character"),
        (b"1_carts,5\r6", "line-endings"),
        (b"1_carts,5\r\r", "line-endings"),
        (b"", "blank-line"),
        (b"   ", "blank-line"),
        (b"1_carts," + b"7" * 4089, "line-too-long"),
    ],
)
def test_a_bad_line_is_named(row: bytes, expected: str) -> None:
    assert problems(with_row(3, row))[0] == (3, expected)


def test_a_line_of_4096_bytes_is_the_longest_that_is_read() -> None:
    longest = b"1_carts," + b" 7" * 2044
    assert len(longest) == 4096
    counts, _ = read(with_row(3, longest))
    assert counts.rows == 9
    assert problems(with_row(3, longest + b" "))[0] == (3, "line-too-long")


def test_the_line_end_does_not_count_for_the_length_of_a_line() -> None:
    counts, _ = read(with_row(3, b"1_carts," + b" 7" * 2044).replace(b"\n", b"\r\n"))
    assert counts.rows == 9


def test_blank_lines_are_refused_each_on_its_own_line_only_if_a_row_follows() -> None:
    text = GOOD + b"\n\n" + b"1_clicks,5\n" + b"\n"
    assert problems(text) == [(11, "blank-line"), (12, "blank-line"), (13, "duplicate-id")]


def test_blank_lines_are_counted_across_blocks() -> None:
    parts = iter([GOOD, b"\n\n", b"\n", b"1_clicks,5\n"])
    with pytest.raises(FileRejected) as raised:
        normalize(parts, task=OTTO, published=PUBLISHED, sink=io.BytesIO())
    found = [(p.line, str(p.code)) for p in raised.value.rejection.problems]
    assert found == [*((line, "blank-line") for line in (11, 12, 13)), (14, "duplicate-id")]


def test_quotes_around_the_fields_count_for_the_length_of_a_line() -> None:
    longest = b'"1_carts","' + b"7 " * 2042 + b'"'
    assert len(longest) == 4096
    assert read(with_row(3, longest))[0].rows == 9
    assert problems(with_row(3, longest[:-1] + b' "'))[0] == (3, "line-too-long")


def test_a_row_cut_off_at_the_end_is_not_taken_for_a_row() -> None:
    assert problems(GOOD[: GOOD.rindex(b"ders")]) == [(10, "row-shape"), (None, "missing-ids")]


def test_a_ctrl_z_after_the_last_line_is_a_line_of_its_own() -> None:
    assert problems(GOOD + b"\x1a") == [(11, "bad-character")]


def test_utf_16_is_called_by_its_name() -> None:
    assert "UTF-16" in rejection(GOOD.decode().encode("utf-16")).problems[0].detail


def test_too_many_rows_are_refused_where_the_surplus_begins_and_reading_stops() -> None:
    served = 0

    def endless() -> Iterator[bytes]:
        nonlocal served
        yield HEADER
        while True:
            served += 1
            yield b"a\n" * 2500

    with pytest.raises(FileRejected) as raised:
        normalize(endless(), task=OTTO, published=PUBLISHED, sink=io.BytesIO())
    found = raised.value.rejection
    assert [(p.line, str(p.code)) for p in found.problems] == [(1011, "too-many-rows")]
    assert served <= 2


def test_exactly_a_thousand_surplus_rows_are_still_read() -> None:
    text = GOOD + b"1_clicks,5\n" * 999
    assert problems(text)[0] == (11, "duplicate-id")
    assert rejection(text).count == 999
    assert problems(text + b"1_clicks,5\n" * 2) == [(1011, "too-many-rows")]


def test_too_many_rows_are_refused_after_a_thousand_problems_too() -> None:
    text = HEADER + b"1_clicks,-5\n" * 1009
    assert problems(text)[0] == (2, "bad-label")
    found = rejection(text + b"1_clicks,-5\n").problems
    assert [(p.line, str(p.code)) for p in found] == [(1011, "too-many-rows")]
    expected = "Send exactly one row for each published id. Line 2 is wrong, too: "
    assert str(found[0].hint).startswith(expected)


def test_blank_lines_after_a_thousand_problems_are_neither_problems_nor_rows() -> None:
    text = HEADER + b"a\n" * 1000 + b"\n" * 20 + b"a\n"
    with pytest.raises(FileRejected) as raised:
        normalize(iter([text]), task=OTTO, published=PUBLISHED, sink=io.BytesIO())
    found = raised.value.rejection
    assert (found.count, {str(p.code) for p in found.problems}) == (1000, {"row-shape"})


def test_a_header_of_ten_million_commas_is_refused_unsplit() -> None:
    text = b"," * 10_000_000
    tracemalloc.start()
    assert problems(text) == [(1, "header-mismatch")]
    # As a list, the fields would take 80 MB besides the text.
    assert tracemalloc.get_traced_memory()[1] < 60 << 20
    tracemalloc.stop()


def test_endless_blank_lines_cost_neither_memory_nor_rows() -> None:
    def endless() -> Iterator[bytes]:
        yield HEADER + ROWS[0]
        for _ in range(20):
            yield b"\n" * (1 << 20)
        yield b"1_carts,5\n"

    tracemalloc.start()
    with pytest.raises(FileRejected) as raised:
        normalize(endless(), task=OTTO, published=PUBLISHED, sink=io.BytesIO())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(raised.value.rejection.problems[0].code) == "blank-line"
    assert peak < 16 << 20


@pytest.mark.parametrize("text", [b"\xff" * 5000, b'"' * 5000, b"<" * 5000, b"\\" * 900, b"a" * 99])
def test_no_text_is_longer_than_promised(text: bytes) -> None:
    for file in (text, GOOD + text, with_row(2, b"1_clicks," + text), with_row(2, text + b",5")):
        for problem in rejection(file).problems:
            assert len(problem.detail) <= 280
            assert problem.detail.isascii() or "“" in problem.detail


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_blank_lines_are_no_rows_however_many_there_are(line_end: bytes) -> None:
    text = HEADER + ROWS[0] + line_end * 5000 + b"".join(ROWS[1:])
    found = rejection(text)
    assert [str(problem.code) for problem in found.problems] == ["blank-line"] * 10
    assert [problem.line for problem in found.problems] == [*range(3, 13)]
    assert found.count == 5000
