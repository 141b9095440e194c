"""Wrong files of tables."""

from __future__ import annotations

from functools import partial

from tests.builders.wrong_files.contests import with_first
from tests.builders.wrong_files.shape import Wrong

_first = partial(with_first, "table")

TABLES = (
    Wrong(
        "table",
        "an index",
        ",id,price,rooms,kind,sold\n0,007,1,1,flat,\n1,42,2,2,flat,\n2,12906577000001,3,3,flat,\n"
        "3,1000,4,4,flat,\n",
        "header-mismatch",
        1,
        "index=False",
    ),
    Wrong(
        "table",
        "semicolons",
        _first("007,1,1,flat,").replace(",", ";"),
        "header-mismatch",
        1,
        "separated by semicolons",
    ),
    Wrong(
        "table",
        "capitals",
        _first("007,1,1,flat,").replace("id,price", "ID,Price"),
        "header-mismatch",
        1,
        "exactly so",
    ),
    Wrong(
        "table",
        "two columns less",
        "id,price,rooms\n007,1,1\n42,1,1\n",
        "header-mismatch",
        1,
        "Columns are missing: “kind”, “sold”.",
    ),
    Wrong(
        "table",
        "a field less",
        _first("007,1,1,flat"),
        "row-shape",
        2,
        "A row is an id and 4 values",
    ),
    Wrong(
        "table",
        "lost zeros",
        _first("7,1,1,flat,"),
        "unknown-id",
        2,
        "“007” is meant: a program removed leading zeros",
        in_browser=False,
    ),
    Wrong(
        "table",
        "float ids",
        _first("007,1,1,flat,").replace("42,", "42.0,", 1),
        "unknown-id",
        3,
        "“42” is meant: a program made floats",
        in_browser=False,
    ),
    Wrong(
        "table",
        "exponents",
        _first("007,1,1,flat,").replace("12906577000001", "1.2906577e+13"),
        "unknown-id",
        4,
        "“12906577000001” is meant: a program wrote the ids with an exponent",
        in_browser=False,
    ),
    Wrong(
        "table",
        "thousands",
        _first("007,1,1,flat,").replace("1000,", '"1,000",'),
        "bad-id",
        5,
        "no commas between thousands",
    ),
    Wrong(
        "table",
        "an id twice",
        _first("007,1,1,flat,") + "42,20,2,house,\n",
        "duplicate-id",
        6,
        "Send each id once.",
    ),
    Wrong(
        "table",
        "a missing id",
        _first(),
        "missing-ids",
        None,
        "one row for each published id",
        in_browser=False,
    ),
    Wrong(
        "table", "an empty field", _first("007,,1,flat,"), "bad-label", 2, "a value for every id"
    ),
    Wrong(
        "table",
        "out of range",
        _first("007,1001,1,flat,"),
        "bad-label",
        2,
        "price lies between 0 and 1000.",
    ),
    Wrong("table", "words for none", _first("007,NaN,1,flat,"), "bad-label", 2, "finite number"),
    Wrong(
        "table",
        "a decimal comma",
        _first('007,"1,5",1,flat,'),
        "bad-label",
        2,
        "a point before the decimals",
    ),
    Wrong(
        "table", "floats", _first("007,1,1.0,flat,"), "bad-label", 2, "Cast the column to integers"
    ),
    Wrong(
        "table",
        "fractions",
        _first("007,1,1.5,flat,"),
        "bad-label",
        2,
        "without a point or an exponent",
    ),
    Wrong(
        "table",
        "a category in capitals",
        _first("007,1,1,Flat,"),
        "bad-label",
        2,
        "Write it exactly so: “flat”.",
    ),
    Wrong(
        "table",
        "another category",
        _first("007,1,1,boat,"),
        "bad-label",
        2,
        "The categories are “flat”",
    ),
    Wrong(
        "table",
        "a word for a truth value",
        _first("007,1,1,flat,yes"),
        "bad-label",
        2,
        "true or false, or 1 or 0, or leave the field empty",
    ),
)
