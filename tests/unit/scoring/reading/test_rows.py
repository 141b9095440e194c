"""Structure, quoting, ids and labels: what stands on a line, and what it gets."""

import random

import pytest

from podium.scoring.lists.lines import LineCounts
from podium.scoring.task import OTTO, Objective, Task
from podium.scoring.text.fields import RowProblem, split_fields
from tests.builders.scoring.submissions import (
    GOOD,
    HEADER,
    IDS,
    PUBLISHED,
    ROWS,
    problems,
    read,
    rejection,
    with_row,
)

ALL_QUOTED = b'"' + GOOD[:-1].replace(b",", b'","').replace(b"\n", b'"\n"') + b'"\n'
SWAPPED = b"labels,session_type\n" + b"".join(
    b",".join(row.rstrip().split(b",")[::-1]) + b"\n" for row in ROWS
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ALL_QUOTED, id="all quoted"),
        pytest.param(ALL_QUOTED.replace(b"\n", b"\r\n"), id="all quoted, CR LF"),
        pytest.param(SWAPPED, id="columns the other way round"),
        pytest.param(SWAPPED.replace(b"labels", b'"labels"', 1), id="and a quoted name"),
    ],
)
def test_what_a_csv_may_look_like_makes_no_difference(text: bytes) -> None:
    assert read(text) == (LineCounts(rows=9, missing=0, empty=0), GOOD)


def test_rows_keep_their_order() -> None:
    text = HEADER + b"".join(reversed(ROWS))
    assert read(text) == (LineCounts(rows=9, missing=0, empty=0), text)


@pytest.mark.parametrize(
    ("header", "hint"),
    [
        (b"1_clicks,5", "header is missing"),
        (b"session_type,session_type", "twice"),
        (b"session_type,labels,", "index=False"),
        (b"session_type,labels,score", "index=False"),
        (b",session_type,labels", "index=False"),
        (b"Unnamed: 0,session_type,labels", "index=False"),
        (b"session_type", "missing"),
        (b"session_type;labels", "semicolons"),
        (b"session_type\tlabels", "tabs"),
        (b"session_type|labels", "are separated by “|”. Use commas."),
        (b'"Labels"|"session_type"', "are separated by “|”. Use commas."),
        (b"session_type labels", "are separated by spaces. Use commas."),
        (b"session_type|label", "exactly these two"),
        (b"session type", "exactly these two"),
        (b"Session_Type,Labels", "same case"),
        (b"session_type, labels", "no spaces"),
        (b"sep=,", "Excel"),
        (b'{"session": 1}', "JSON"),
        (b"user,item", "exactly these two"),
    ],
)
def test_a_wrong_header_is_shown_with_what_to_do(header: bytes, hint: str) -> None:
    found = rejection(header + b"\n" + b"".join(ROWS)).problems
    assert [(p.line, str(p.code)) for p in found] == [(1, "header-mismatch")]
    assert "session_type,labels" in found[0].detail
    assert hint in str(found[0].hint)


def test_fields_swapped_under_the_usual_header_are_bad_ids() -> None:
    assert problems(SWAPPED.replace(b"labels,session_type", b"session_type,labels"))[0] == (
        2,
        "bad-id",
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (b"1_carts", "row-shape"),
        (b"1_carts,5,", "row-shape"),
        (b"1_carts,1,2,3", "row-shape"),
        (b"1_carts;5", "row-shape"),
        (b'1_carts,"1,2,3"', "bad-label"),
        (b'"1_carts,5', "bad-quote"),
        (b'1_carts,"5 6', "bad-quote"),
        (b'1_carts,59"625', "bad-quote"),
        (b'1_carts,59625"', "bad-quote"),
        (b'1_carts,"5"6', "bad-quote"),
        (b'1_carts, "5"', "bad-quote"),
        (b'1_carts,"5" ', "bad-quote"),
        (b'"1_carts" ,5', "bad-quote"),
        (b'1_carts,"5\n6"', "bad-quote"),
        (b'1_carts,"5""6"', "bad-label"),
        (b'"1_ca""rts",5', "bad-id"),
        (b'1_carts,"', "bad-quote"),
        (b"1_carts," + b'"' * 1_000_000, "line-too-long"),
        (b"'1_carts',5", "bad-id"),
    ],
)
def test_a_line_that_is_not_two_fields_is_named(row: bytes, expected: str) -> None:
    assert problems(with_row(3, row))[0] == (3, expected)


def test_an_empty_quoted_field_is_an_empty_list() -> None:
    assert read(with_row(3, b'1_carts,""'))[0] == LineCounts(rows=9, missing=0, empty=1)


@pytest.mark.parametrize(
    ("row_id", "expected"),
    [
        (b"4_carts", "unknown-id"),
        (b"0_carts", "unknown-id"),
        (b"2147483647_carts", "unknown-id"),
        (b"2147483648_carts", "bad-id"),
        (b"4294967297_carts", "bad-id"),
        (b"18446744073709551617_carts", "bad-id"),
        (b"1" + b"0" * 400 + b"_carts", "bad-id"),
        (b"1_views", "bad-id"),
        (b"1_Carts", "bad-id"),
        (b"1_carts_", "bad-id"),
        (b"1__carts", "bad-id"),
        (b"1_", "bad-id"),
        (b"_carts", "bad-id"),
        (b"1", "bad-id"),
        (b"", "bad-id"),
        (b"01_carts", "bad-id"),
        (b"+1_carts", "bad-id"),
        (b"-1_carts", "bad-id"),
        (b" 1_carts", "bad-id"),
        (b"1_carts ", "bad-id"),
        (b"1.0_carts", "bad-id"),
    ],
)
def test_an_id_that_is_none_or_is_not_published_is_named(row_id: bytes, expected: str) -> None:
    assert problems(with_row(3, row_id + b",5"))[0] == (3, expected)


def test_a_second_row_for_an_id_names_both_lines_whatever_it_predicts() -> None:
    for row in (b"1_clicks,596230 100\n", b"1_clicks,7\n"):
        found = rejection(GOOD + row).problems
        assert [(p.line, str(p.code), p.id) for p in found] == [(11, "duplicate-id", "1_clicks")]
        assert "line 2 " in found[0].detail
        assert "line 11" in found[0].detail


def test_a_third_row_for_an_id_names_the_first_again() -> None:
    found = rejection(GOOD + b"1_clicks,1\n1_clicks,2\n").problems
    assert "line 2 and on line 12" in found[1].detail


def test_missing_ids_are_one_problem_with_the_first_ten_in_published_order() -> None:
    found = rejection(HEADER + ROWS[8] + ROWS[0])
    assert found.count == 1
    assert found.problems[0].line is None
    expected = f"7 of 9 ids are missing: {', '.join(IDS[1:8])}"
    assert found.problems[0].detail == expected


def test_missing_ids_are_only_counted_where_the_competition_allows_them() -> None:
    task = Task(objectives=OTTO.objectives, missing_rows="zero")
    counts, text = read(HEADER + ROWS[8], task=task)
    assert counts == LineCounts(rows=1, missing=8, empty=0)
    assert text == HEADER + ROWS[8]


def test_all_problems_are_told_at_once_by_line() -> None:
    text = HEADER + b"1_clicks,5\n1_carts,x\n1_orders\n9_clicks,y\n2_clicks,5\n2_clicks,5\n"
    assert problems(text) == [
        (3, "bad-label"),
        (4, "row-shape"),
        (5, "unknown-id"),
        (5, "bad-label"),
        (7, "duplicate-id"),
        (None, "missing-ids"),
    ]


def test_of_many_problems_ten_are_shown_and_all_are_counted_up_to_a_thousand() -> None:
    few = rejection(HEADER + b"1_clicks\n" * 900)
    assert (len(few.problems), few.count) == (10, 901)
    many = rejection(HEADER + b"1_clicks,x\n" * 1005)
    assert (len(many.problems), many.count) == (10, 1001)
    assert many.stopped


def test_the_ids_of_another_test_set_are_recognized_as_such() -> None:
    text = HEADER + b"".join(f"{n},5\n".replace("_", "00_").encode() for n in IDS)
    found = rejection(text).problems
    assert (found[0].line, str(found[0].code)) == (2, "unknown-id")
    assert "0 of 9 ids match" in str(found[0].hint)
    assert "0 of 9" not in str(rejection(text + ROWS[0]).problems[0].hint)


@pytest.mark.parametrize(
    ("labels", "canonical"),
    [
        (b"", b""),
        (b" ", b""),
        (b"0", b"0"),
        (b"0 0", b"0 0"),
        (b"5 5 5", b"5 5 5"),
        (b"5  6", b"5 6"),
        (b" 5", b"5"),
        (b"5 ", b"5"),
        (b"005", b"5"),
        (b"0000000000", b"0"),
        (b"0000000005", b"5"),
        (b"2147483647", b"2147483647"),
        (b'" 5 6 "', b"5 6"),
        (b" ".join([b"2147483647"] * 20), b" ".join([b"2147483647"] * 20)),
        (b" ".join([b"7"] * 500), b" ".join([b"7"] * 500)),
    ],
)
def test_permitted_labels_become_canonical(labels: bytes, canonical: bytes) -> None:
    counts, text = read(with_row(3, b"1_carts," + labels))
    assert text == with_row(3, b"1_carts," + canonical)
    assert counts.empty == (canonical == b"")


@pytest.mark.parametrize(
    "labels",
    [b"5\t6", b"5.0", b"5.", b"1e5", b"0x10", b"NaN", b"None", b"null", b"inf", b"-5", b"-1", b"+5",
     b"=1+1", b"@SUM", b"2147483648", b"4294967296", b"9999999999", b"00000000005", b"1_000",
     b"12345678901234567890", b"5;6", b"5/6", b"[5 6]", b"5\x0b6", b"5\x7f", b"5\xc2\xb2"],
)  # fmt: skip
def test_anything_else_in_the_labels_is_named(labels: bytes) -> None:
    assert problems(with_row(3, b"1_carts,7 " + labels + b" 8"))[0] == (3, "bad-label")


@pytest.mark.parametrize(
    ("labels", "hint"),
    [
        (b'"1,2"', "not commas"),
        (b"1\t2", "not tabs"),
        (b"-1", "not negative"),
        (b"5.0", "instead of 5.0"),
        (b"nan", "Leave the field empty"),
        (b'"[1, 2]"', "' '.join(map(str, items))"),
        (b'" [1,2] "', "' '.join(map(str, items))"),
        (b'"[1]"', "' '.join(map(str, items))"),
        (b"[]", "' '.join(map(str, items))"),
        (b"[1, 2]", "' '.join(map(str, items))"),
        (b'"1, [2]"', "not commas"),
        (b"[5;6]", "not semicolons"),
    ],
)
def test_a_bad_label_comes_with_what_to_do(labels: bytes, hint: str) -> None:
    assert hint in str(rejection(with_row(3, b"1_carts," + labels)).problems[0].hint)


def test_items_that_are_text_keep_every_character() -> None:
    task = Task(objectives=OTTO.objectives, item_ids="string")
    items = b"0706016001 0 007 a-b.c " + b"x" * 64 + b" ~!#"
    assert read(with_row(3, b"1_carts,  " + items), task=task)[1] == with_row(
        3, b"1_carts," + items
    )
    for bad in (b"x" * 65, b"\xc3\xa9", b"a\tb", b'"a""b"', b"\x7f"):
        assert problems(with_row(3, b"1_carts," + bad), task=task)[0] == (3, "bad-label")


def test_a_single_objective_without_a_name_has_bare_sessions_as_ids() -> None:
    task = Task(objectives=(Objective("", OTTO.objectives[0].weight),))
    published = type(PUBLISHED)(PUBLISHED.sessions, ("",))
    text = HEADER + b"2,5\n3,\n1,7 8\n"
    assert read(text, task=task, published=published) == (LineCounts(3, 0, 1), text)
    bad = HEADER + b"1_,5\n02,5\n3,5\n"
    assert problems(bad, task=task, published=published) == [
        (2, "bad-id"),
        (3, "bad-id"),
        (None, "missing-ids"),
    ]


@pytest.mark.parametrize("character", [b"\x00", b"\xc3\xa9", b"\\", b"\x1b"])
@pytest.mark.parametrize("row", [b"%s", b"%s,5", b"1_clicks,%s", b"1_clicks,5,%s"])
def test_texts_stay_short_and_printable_and_whole_whatever_they_quote(
    row: bytes, character: bytes
) -> None:
    problem = rejection(with_row(2, row % (character * 64))).problems[0]
    assert len(problem.detail) <= 280
    assert problem.detail.isprintable()
    # The quotation was cut, not the sentence around it.
    assert problem.detail.endswith((" is not an id", " is not an item id", " instead of 2"))
    assert (problem.id or "").isprintable()


def test_that_reading_stopped_is_told_beside_the_problems() -> None:
    found = rejection(HEADER + b"1_clicks,-5\n" * 1005)
    assert found.stopped
    assert found.to_dict()["reading_stopped"] is True
    assert {str(problem.hint).partition(".")[0] for problem in found.problems} == {
        "Items are not negative",
        "Send each id once",
    }
    short = rejection(HEADER + b"1_clicks,-5\n" * 400)
    assert (short.count, short.stopped) == (800, False)
    assert short.to_dict()["reading_stopped"] is False


def test_a_row_for_each_item_is_told_to_be_joined() -> None:
    (long,) = rejection(HEADER + b"1_clicks,5\n1_clicks,7\n").problems[:1]
    assert (long.code, "joined by spaces" in str(long.hint)) == ("duplicate-id", True)
    (twice,) = rejection(HEADER + b"1_clicks,5 9\n1_clicks,7 8\n").problems[:1]
    assert (twice.code, twice.hint) == ("duplicate-id", "Send each id once.")


def test_reading_stops_in_a_file_for_another_test_set_too() -> None:
    text = b"".join(b"%d_clicks,5\n" % session for session in range(500, 1505))
    found = rejection(HEADER + text)
    assert "another test set" in str(found.problems[0].hint)
    assert found.stopped


@pytest.mark.parametrize("seed", range(20))
def test_a_line_is_split_into_the_fields_that_it_was_made_of(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        fields = ["".join(rng.choices('a, "\t', k=rng.randint(0, 5))) for _ in range(4)]
        doubled = [field.replace('"', '""') for field in fields]
        plain = [not set(field) & set('",') and rng.random() < 0.5 for field in fields]
        pairs = zip(doubled, plain, strict=True)
        line = ",".join(field if is_plain else f'"{field}"' for field, is_plain in pairs)
        assert split_fields(line.encode()) == [field.encode() for field in doubled]


@pytest.mark.parametrize("line", ['"a', 'a"', '"a"b,c', 'b"a",c', '"a" ,b', '"a"""b"', '"""', ',"'])
def test_a_quote_that_encloses_no_whole_field_is_refused(line: str) -> None:
    with pytest.raises(RowProblem) as refused:
        split_fields(line.encode())
    assert refused.value.code == "bad-quote"
