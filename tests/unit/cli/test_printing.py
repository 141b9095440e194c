"""Tables, CSV and JSON on standard output."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

from podium.cli.printing import Columns, bar, print_facts, print_rows, table_lines, waiting

COLUMNS: Columns = (("team", lambda row: row["team"]), ("score", lambda row: row["score"]))
ROWS: list[dict[str, Any]] = [{"team": "Ada", "score": 0.5}, {"team": "Bob, Co", "score": None}]


def test_a_table_is_as_wide_as_its_cells(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, COLUMNS, as_json=False)
    assert capsys.readouterr().out == "team     score\nAda      0.5\nBob, Co\n"


def test_in_a_narrow_terminal_sentences_go_below_their_row_and_ids_stay_whole() -> None:
    lines = [("id", "note", "score"), ("a-b-c-d", "the second of two", "0.5"), ("e-f-g", "", "1")]
    whole = list(table_lines(lines))
    assert whole[1] == "a-b-c-d  the second of two  0.5"
    assert list(table_lines(lines, below=("note",), width=33)) == whole
    assert list(table_lines(lines, below=("note",), width=32)) == [
        "id       score",
        "  note",
        "a-b-c-d  0.5",
        "  the second of two",
        "e-f-g    1",
    ]
    assert list(table_lines(lines, below=("id", "note"), width=14))[2:5] == [
        "0.5",
        "  a-b-c-d ·",
        "  the second",
    ]


def test_csv_quotes_what_needs_it(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, COLUMNS, as_json=False, as_csv=True)
    assert capsys.readouterr().out == 'team,score\r\nAda,0.5\r\n"Bob, Co",\r\n'


def test_json_holds_the_whole_documents(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, COLUMNS, as_json=True)
    assert json.loads(capsys.readouterr().out) == ROWS


def test_a_name_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts({"team": "\x1b[31mred\x07\u202e"})
    assert capsys.readouterr().out == "team  \ufffd[31mred\ufffd\ufffd\n"


def test_without_a_terminal_nothing_moves(capsys: pytest.CaptureFixture[str]) -> None:
    with bar("Upload", quiet=False) as moved:
        moved(1, 2)
    with waiting(quiet=False, goes_on="") as say:
        say("queued")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_csv_prints_no_formula(start: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"team": f"{start}cmd|' /C calc'!A0", "score": -0.5}]
    print_rows(rows, COLUMNS, as_json=False, as_csv=True)
    (row,) = list(csv.reader(capsys.readouterr().out.splitlines()))[1:]
    assert row[0][0] not in ("=", "+", "-", "@", "\t", "\r")
    assert row[1] == "-0.5"


@pytest.mark.parametrize("number", ["-0.5", "+3", "-1e-07", "12", "1.5E+20"])
def test_csv_leaves_numbers_what_they_are(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([{"team": number, "score": 1}], COLUMNS, as_json=False, as_csv=True)
    assert capsys.readouterr().out.splitlines()[1] == f"{number},1"


@pytest.mark.parametrize("text", ["-1+cmd()", "-0x10", "+1 2", "--1", "-", "-inf"])
def test_what_only_begins_like_a_number_is_a_text(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_rows([{"team": text, "score": 1}], COLUMNS, as_json=False, as_csv=True)
    assert capsys.readouterr().out.splitlines()[1] == f"'{text},1"


def test_ctrl_c_while_waiting_says_what_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), waiting(quiet=True, goes_on="Judging goes on."):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "Stopped waiting. Judging goes on.\n"


def test_columns_stand_below_each_other_whatever_the_names_are_written_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Wide characters take two columns, and marks on others none."""
    names = {"오준서": 6, "Ada": 3, "Ame\u0301lie": 6, "チーム🙂": 8}
    rows = [{"team": name, "score": 1} for name in names]
    print_rows(rows, COLUMNS, as_json=False)
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.index("1") for line in lines] == [
        len(name) + 8 - wide + 2 for name, wide in names.items()
    ]
    print_facts(dict.fromkeys(names, "x"))
    facts = capsys.readouterr().out.splitlines()
    assert [line.index("x") for line in facts] == [
        len(name) + 8 - wide + 2 for name, wide in names.items()
    ]
