"""The advice of each hint, done to a file as a person would do it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

from tests.builders.wrong_files.shape import Contest

Change = Callable[[str, str, Contest], str]
"""From a file's text and the hint to the text after it was followed."""


def _table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def _text(rows: list[list[str]]) -> str:
    sink = io.StringIO()
    csv.writer(sink, lineterminator="\n").writerows(rows)
    return sink.getvalue()


def _header(contest: Contest) -> str:
    return contest.good.partition("\n")[0]


def _with_header(text: str, hint: str, contest: Contest) -> str:
    return f"{_header(contest)}\n{text.partition(chr(10))[2]}"


def _without_index(text: str, hint: str, contest: Contest) -> str:
    return _text([row[1:] for row in _table(text)])


def _by_commas(text: str, hint: str, contest: Contest) -> str:
    sign = next(s for name, s in (("semi", ";"), ("tabs", "\t"), ("|", "|")) if name in hint)
    return text.replace(sign, ",")


def _renamed(text: str, hint: str, contest: Contest) -> str:
    old, new = re.findall("“([^”]*)”", hint)
    header, _, rest = text.partition("\n")
    return f"{header.replace(old, new)}\n{rest}"


def _without_others(text: str, hint: str, contest: Contest) -> str:
    header, *rows = _table(text)
    places = [header.index(name) for name in _table(_header(contest))[0]]
    return _text([[row[at] for at in places] for row in (header, *rows)])


def _by_pandas(text: str, hint: str, contest: Contest) -> str:
    # Importing it takes half a second, and all workers collect the tests of wrong files.
    import pandas as pd

    code = hint.partition("pandas: ")[2].replace('"lists.csv"', '"lists.csv.tmp"')
    df = pd.read_csv(io.StringIO(text))
    exec(code, {"df": df})  # noqa: S102 - it is the advice
    written = Path("lists.csv.tmp")
    try:
        return written.read_text()
    finally:
        written.unlink()


def _as_lists(text: str, hint: str, contest: Contest) -> str:
    rows = [line.split(",") for line in text.splitlines()]
    return "".join(f"{one},{' '.join(items)}\n" for one, *items in rows)


def _joined(text: str, hint: str, contest: Contest) -> str:
    header, *rows = _table(text)
    lists: dict[str, list[str]] = {}
    for one, items in rows:
        lists.setdefault(one, []).append(items)
    return _text([header, *([one, " ".join(items)] for one, items in lists.items())])


def _once(text: str, hint: str, contest: Contest) -> str:
    keys = 2 if contest.settings["task"] in ("rating", "scores", "rerank") else 1
    rows = {tuple(row[:keys]): row for row in reversed(_table(text))}
    return _text(list(reversed(rows.values())))


def _completed(text: str, hint: str, contest: Contest) -> str:
    keys = 2 if contest.settings["task"] in ("rating", "scores", "rerank") else 1
    there = {tuple(row[:keys]) for row in _table(text)}
    return text + _text([row for row in _table(contest.good) if tuple(row[:keys]) not in there])


def _as_published(text: str, hint: str, contest: Contest) -> str:
    """The ids and items of the good file, read as text this time."""
    known = re.findall(r"\b[0-9]+\b", contest.good)
    meant = {f"{float(one):.7e}": one for one in known}
    meant |= {f"{one}.0": one for one in known} | {f"{one.lstrip('0')}.0": one for one in known}
    meant |= {one.lstrip("0"): one for one in known if one.startswith("0")}
    keys = 2 if contest.settings["task"] in ("scores", "rerank") else 1
    return _text(
        [
            [
                " ".join(meant.get(e, e) for e in f.split(" ")) if n < keys else f
                for n, f in enumerate(row)
            ]
            for row in _table(text)
        ]
    )


def _from_json(text: str, hint: str, contest: Contest) -> str:
    rows = [[str(row["user"]), " ".join(map(str, row["labels"]))] for row in json.loads(text)]
    return _text([_header(contest).split(","), *rows])


def _inside_quotes(change: Callable[[str], str]) -> Change:
    return lambda text, hint, contest: re.sub('"([^"]*)"', lambda found: change(found[1]), text)


def _substituted(pattern: str, by: str) -> Change:
    return lambda text, hint, contest: re.sub(pattern, by, text)


FOLLOWED: dict[str, Change] = {
    "pandas: df": _by_pandas,
    "The first column is an index": _without_index,
    "are separated by": _by_commas,
    "The header is missing": lambda text, _, contest: f"{_header(contest)}\n{text}",
    "exactly so: same case": _with_header,
    "A column name occurs twice": _with_header,
    "exactly these two column names": _with_header,
    "Copy the column names": _with_header,
    "Rename “": _renamed,
    "Remove all other columns": _without_others,
    "Remove the first line": lambda text, _, contest: text.partition("\n")[2],
    "looks like JSON": _from_json,
    "Send a header and one row": lambda _, __, contest: contest.good,
    "End lines with LF": _substituted("\r", "\n"),
    "at the end only": _substituted("\n\n+", "\n"),
    "A row is an id, one comma": _as_lists,
    "looks like a Python list": _substituted(r'"?\[([0-9, ]*)\]"?', r"\1"),
    "line ends inside quotes": _substituted('"', ""),
    "enclose the whole field": _substituted('"', ""),
    "Cast the column to integers first": _substituted(r"(?<=\d)\.0+(?!\d)", ""),
    "without an exponent": _substituted(r"1\.2e\+06", "7"),
    "no commas between thousands": _inside_quotes(lambda field: field.replace(",", "")),
    "by spaces, not commas": _inside_quotes(lambda field: field.replace(",", " ")),
    "by spaces, not “|”": _substituted(r"\|", " "),
    "without the brackets": _substituted(r"[][]", ""),
    "Items are not negative": _substituted("-1", ""),
    "Leave the field empty where": _substituted("nan", ""),
    "each item of a list once": _substituted("7 7", "7"),
    "no sign, spaces or leading zero": _substituted(r"(?m)^0+", ""),
    "Its items stand on one line": _joined,
    "Send each id once.": _once,
    "Send each pair once.": _once,
    "one row for each published id": _completed,
    "a number for each published pair": _completed,
    "is meant": _as_published,
    "one of: clicks, orders": _substituted("1_views|(?m:^1(?=,))", "1_clicks"),
    "a point before the decimals": _inside_quotes(lambda field: field.replace(",", ".")),
    "both sides of the point": _substituted(r",\.5", ",0.5"),
    "Probabilities lie between": _substituted(",10\n", ",0.1\n"),
    "Write it exactly so: “flat”": _substituted("Flat", "flat"),
    "true or false, or 1 or 0": _substituted("yes", "true"),
    "without a point or an exponent": _substituted(r"1\.5", "2"),
    "The categories are": _substituted("boat", "flat"),
    "price lies between": _substituted("1001", "1000"),
}
"""The step that a hint tells, by words of it; the first that fits."""
