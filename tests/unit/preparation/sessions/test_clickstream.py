"""Tables of events: users become sessions, and everything else is as with raw sessions."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Literal

import polars as pl
import pytest

from podium.preparation.clickstreams import Columns
from podium.preparation.sessions import PreparedSessions, RawFileRefused, keyed_cuts, prepare
from tests.builders.otto.files import cut_in_the_middle, event, lines

ROWS = ["1,11,10,clicks", "1,12,20,carts", "2,12,30,clicks", "1,13,5,orders", "2,11,40,carts"]


def made_of(file: Path, columns: Columns | None = None) -> PreparedSessions:
    chosen = columns or Columns(type="type")
    out = file.parent / "out"
    return prepare([file], out, cuts=cut_in_the_middle, days=None, clickstream=chosen)


def table(path: Path, rows: list[str], header: str = "user,item,timestamp,type") -> Path:
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_a_users_events_are_a_session_in_the_order_of_time(tmp_path: Path) -> None:
    made = made_of(table(tmp_path / "clicks.csv", ROWS))
    assert lines(made.test) == [
        {"session": 1, "events": [event(13, 5, "orders")]},
        {"session": 2, "events": [event(12, 30)]},
    ]
    assert lines(made.labels) == [
        {"session": 1, "labels": {"clicks": 11, "carts": [12]}},
        {"session": 2, "labels": {"carts": [11]}},
    ]


def test_without_types_all_events_are_clicks(tmp_path: Path) -> None:
    rows = [row.rpartition(",")[0] for row in ROWS]
    file = table(tmp_path / "clicks.csv", rows, "user,item,timestamp")
    made = made_of(file, Columns())
    assert made.types == ("clicks",)
    assert lines(made.labels) == [
        {"session": 1, "labels": {"clicks": 11}},
        {"session": 2, "labels": {"clicks": 11}},
    ]


def test_other_types_are_objectives_by_name_after_ottos(tmp_path: Path) -> None:
    rows = ["1,5,1,view", "1,6,2,clicks", "1,7,3,buy", "1,8,4,view", "1,8,5,view"]
    made = made_of(table(tmp_path / "clicks.csv", rows))
    assert made.types == ("clicks", "buy", "view")
    assert lines(made.test)[0]["events"] == [event(5, 1, "view"), event(6, 2)]
    assert lines(made.labels) == [{"session": 1, "labels": {"buy": [7], "view": [8]}}]


def test_equal_times_are_ordered_by_type_and_item_wherever_the_rows_stand(tmp_path: Path) -> None:
    rows = ["1,7,5,carts", "1,9,5,clicks", "1,8,5,clicks", "1,1,4,clicks"]
    outcomes = set()
    for number, given in enumerate((rows, rows[::-1], rows[2:] + rows[:2])):
        folder = tmp_path / str(number)
        folder.mkdir()
        made = made_of(table(folder / "clicks.csv", given))
        outcomes.add(made.test.read_bytes() + made.labels.read_bytes())
        seen = [told["aid"] for told in lines(made.test)[0]["events"]]
        assert seen == [1, 8]
    assert len(outcomes) == 1


def test_columns_may_have_other_names_and_times_be_seconds(tmp_path: Path) -> None:
    file = table(tmp_path / "ratings.csv", ["3,5,9,1", "4,6,9,2"], "rating,movieId,userId,when")
    columns = Columns(user="userId", item="movieId", time="when", unit="s")
    made = made_of(file, columns)
    assert lines(made.test) == [{"session": 9, "events": [event(5, 1000)]}]


def test_parquet_is_read_like_csv(tmp_path: Path) -> None:
    text = made_of(table(tmp_path / "clicks.csv", ROWS)).labels.read_bytes()
    file = tmp_path / "clicks.parquet"
    pl.read_csv(tmp_path / "clicks.csv").write_parquet(file)
    assert made_of(file).labels.read_bytes() == text


def test_windows_line_ends_a_mark_and_quotes_change_nothing(tmp_path: Path) -> None:
    text = made_of(table(tmp_path / "clicks.csv", ROWS)).labels.read_bytes()
    file = tmp_path / "other.csv"
    rows = ['"user","item","timestamp","type"', *ROWS[:2], '"2","12","30","clicks"', *ROWS[3:]]
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(rows).encode() + b"\r\n\r\n")
    assert made_of(file).labels.read_bytes() == text


@pytest.mark.parametrize(
    "row",
    ["x,1,5,clicks", "1,,5,clicks", "1,1,5.5,clicks", "1,1,2020-01-01,clicks", "1,-1,5,clicks",
     "1,1,5,", "1,1,5,a_b", "3000000000,1,5,clicks"],
)  # fmt: skip
def test_a_row_that_is_no_event_is_named(row: str, tmp_path: Path) -> None:
    file = table(tmp_path / "clicks.csv", [*ROWS[:2], row, ROWS[2]])
    with pytest.raises(RawFileRefused) as refused:
        made_of(file)
    assert [problem["line"] for problem in refused.value.problems] == [4]


def test_a_row_of_another_width_is_named(tmp_path: Path) -> None:
    file = table(tmp_path / "clicks.csv", [*ROWS[:2], "1,1,5,clicks,9", ROWS[2]])
    with pytest.raises(RawFileRefused, match=r"line 4 has not 4 fields: “1,1,5,clicks,9”"):
        made_of(file)


def test_the_first_row_that_goes_on_behind_its_line_end_is_named(tmp_path: Path) -> None:
    rows = [ROWS[0], '1,"1\n",5,clicks', ROWS[1], '1,1,5,"clicks"', ROWS[2]]
    with pytest.raises(RawFileRefused, match="a line end stands between quotes") as refused:
        made_of(table(tmp_path / "clicks.csv", rows))
    assert [problem["line"] for problem in refused.value.problems] == [3]


def test_a_long_text_that_goes_on_behind_its_line_end_is_named_too(tmp_path: Path) -> None:
    rows = [ROWS[0], f'1,"1\n{"x" * 200_000}",5,clicks', ROWS[1]]
    with pytest.raises(RawFileRefused, match="a line end stands between quotes") as refused:
        made_of(table(tmp_path / "clicks.csv", rows))
    assert [problem["line"] for problem in refused.value.problems] == [3]


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    file = table(tmp_path / "clicks.csv", ["1,2,3"], "user,article,timestamp")
    with pytest.raises(
        RawFileRefused, match="no column item; the columns are user, article, timestamp"
    ):
        made_of(file, Columns())


NAMED = [
    "zoe,red shoe,2026-01-01T00:00:01Z,clicks",
    "zoe,hat,2026-01-01T00:00:02.5Z,carts",
    'Ada,"a, b",2026-01-01 01:00:03+01:00,clicks',
    "zoe,coat,2026-01-01,orders",
    "Ada,red shoe,2026-01-01T00:00:04,carts",
]
"""Ada is 0 and zoe 1; “a, b” is 0, coat 1, hat 2, red shoe 3."""

BY_NAME = Columns(type="type", unit="iso", text_ids=True)
NEW_YEAR = 1_767_225_600_000


def test_texts_become_numbers_in_their_order_and_dates_times(tmp_path: Path) -> None:
    made = made_of(table(tmp_path / "clicks.csv", NAMED), BY_NAME)
    assert lines(made.test) == [
        {"session": 0, "events": [event(0, NEW_YEAR + 3000)]},
        {"session": 1, "events": [event(1, NEW_YEAR, "orders")]},
    ]
    assert lines(made.labels) == [
        {"session": 0, "labels": {"carts": [3]}},
        {"session": 1, "labels": {"clicks": 3, "carts": [2]}},
    ]
    items, users = made.names
    assert items.read_text() == 'aid,item\n0,"a, b"\n1,coat\n2,hat\n3,red shoe\n'
    assert users.read_text() == "session,user\n0,Ada\n1,zoe\n"


def test_neither_rows_nor_files_in_another_order_change_a_number(tmp_path: Path) -> None:
    def made_anew(name: str, parts: list[list[str]]) -> bytes:
        folder = tmp_path / name
        folder.mkdir()
        files = [table(folder / f"{n}.csv", part) for n, part in enumerate(parts)]
        made = prepare(
            files, folder / "out", cuts=cut_in_the_middle, days=None, clickstream=BY_NAME
        )
        return b"".join(path.read_bytes() for path in (made.test, made.labels, *made.names))

    once = made_anew("one", [NAMED])
    assert made_anew("two", [NAMED[3:], NAMED[:3]]) == once
    assert made_anew("three", [NAMED[::-1]]) == once


def test_dates_and_texts_of_parquet_are_read_like_those_of_csv(tmp_path: Path) -> None:
    text = made_of(table(tmp_path / "clicks.csv", NAMED), BY_NAME).labels.read_bytes()
    rows = pl.read_csv(tmp_path / "clicks.csv", infer_schema=False)
    moments = [NEW_YEAR + after for after in (1000, 2500, 3000, 0, 4000)]
    utc = pl.Series("timestamp", moments).cast(pl.Datetime("ms"))
    abroad = utc.cast(pl.Datetime("us")).dt.replace_time_zone("UTC")
    for times in (utc, abroad.dt.convert_time_zone("Asia/Tokyo")):
        file = tmp_path / "clicks.parquet"
        rows.with_columns(times, pl.col("item").cast(pl.Categorical)).write_parquet(file)
        made = made_of(file, BY_NAME)
        assert made.labels.read_bytes() == text
        assert lines(made.test)[1]["events"] == [event(1, NEW_YEAR, "orders")]


@pytest.mark.parametrize(
    "row",
    ["zoe,,2026-01-01,clicks", ",hat,2026-01-01,clicks", "zoe,hat,2026-13-01,clicks",
     "zoe,hat,01.02.2026,clicks", "zoe,hat,1767225600,clicks", "zoe,hat,1969-12-31,clicks",
     "zoe,hat,2026-01-01T25:00:00Z,clicks", f"zoe,{'x' * 257},2026-01-01,clicks",
     "zoe,h\x07t,2026-01-01,clicks"],
)  # fmt: skip
def test_a_row_that_is_no_event_is_named_where_ids_are_texts(row: str, tmp_path: Path) -> None:
    file = table(tmp_path / "clicks.csv", [*NAMED[:2], row, *NAMED[2:]])
    with pytest.raises(
        RawFileRefused, match=r"user and item are texts .* the time is a date"
    ) as refused:
        made_of(file, BY_NAME)
    assert [problem["line"] for problem in refused.value.problems] == [4]


def test_texts_where_numbers_are_expected_are_refused_with_the_way_out(tmp_path: Path) -> None:
    file = table(tmp_path / "clicks.csv", ["zoe,hat,5,clicks"])
    with pytest.raises(RawFileRefused) as refused:
        made_of(file)
    assert "--ids text" in str(refused.value.problems[0]["hint"])


def test_numbered_types_are_refused_with_their_words_and_no_word_of_ids(tmp_path: Path) -> None:
    file = table(tmp_path / "clicks.csv", ["7,8,5,0"])
    with pytest.raises(RawFileRefused) as refused:
        made_of(file)
    hint = "Write types as words. In OTTO's numbered files 0 is clicks, 1 carts, 2 orders."
    assert refused.value.problems[0]["hint"] == hint


@pytest.mark.parametrize(
    ("unit", "first", "told"),
    [
        ("ms", 1_700_000_000, "are they seconds? --time-unit s"),
        ("s", 1_700_000_000_000, "are they milliseconds? --time-unit ms"),
        ("s", 1_700_000_000, None),
    ],
)
def test_times_of_another_unit_are_asked_about_where_days_are_split_off(
    unit: Literal["ms", "s"], first: int, told: str | None, tmp_path: Path
) -> None:
    day = 86_400 if first < 10**12 else 86_400_000
    rows = [f"{user},{item},{first + user * day + item}" for user in range(9) for item in (1, 2)]
    file = table(tmp_path / "events.csv", rows, "user,item,timestamp")
    columns, cuts = Columns(unit=unit), keyed_cuts(b"k" * 32)
    prepared = partial(prepare, [file], tmp_path / "made", cuts=cuts, clickstream=columns)
    if told is None:
        assert len(prepared(days=3).sessions) > 0
    else:
        with pytest.raises(RawFileRefused, match=re.escape(told)):
            prepared(days=3)
