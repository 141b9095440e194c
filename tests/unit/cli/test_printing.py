"""Tables, CSV and JSON on standard output."""

from __future__ import annotations

import json

import pytest

from app.cli.printing import Columns, bar, print_facts, print_rows, waiting

COLUMNS: Columns = (("team", lambda row: row["team"]), ("score", lambda row: row["score"]))
ROWS = [{"team": "Ada", "score": 0.5}, {"team": "Bob, Co", "score": None}]


def test_a_table_is_as_wide_as_its_cells(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, COLUMNS, as_json=False)
    assert capsys.readouterr().out == "team     score\nAda      0.5\nBob, Co\n"


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
    with waiting(quiet=False) as say:
        say("queued")
    assert capsys.readouterr() == ("", "")
