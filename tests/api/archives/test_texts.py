"""Every text that an archive brings is one that the service itself would have taken in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import JSON, String, inspect

from podium.application import Application
from podium.archives.service.rows import row_of
from podium.archives.service.tables import BY_NAME, TABLES
from podium.core.models import Team, User
from podium.core.names import name_key
from podium.errors import InvalidInput
from tests.builders.archives.forging import Members, edited, setting, taken_in
from tests.builders.archives.season import packed

TEXTS = [
    (table.name, column)
    for table in TABLES
    for column in table.columns
    if isinstance(inspect(table.model).local_table.columns[column].type, String)
]
"""Every column of every table that holds a text."""

DOCUMENTS = [
    (table.name, column)
    for table in TABLES
    for column in table.columns
    if isinstance(inspect(table.model).local_table.columns[column].type, JSON)
]
"""Every column that holds a document, which may have texts in it."""

ALLOWED = {
    ("judgings", "failure", "steers a terminal"): "what a child said last; shown escaped",
    ("judgings", "failure", "turns the writing around"): "the same",
    (
        "submissions",
        "note",
        "turns the writing around",
    ): "the API takes it, too",
}

ROWS: dict[str, dict[str, Any]] = {
    "former_organizers": {
        "user_id": "00000000-0000-7000-8000-000000000000",
        "removed_at": "2026-01-01T00:00:00Z",
    },
    "item_files": {"summary": {}},
    "session_files": {"columns": ["shop"], "sessions": 1},
}
"""Rows of tables that have none in the season."""

STORED = {
    "competition_id": "00000000-0000-7000-8000-000000000000",
    "sha256": "0" * 64,
    "upload_sha256": "0" * 64,
    "upload_bytes": 1,
    "created_at": "2026-01-01T00:00:00Z",
    "created_by": "00000000-0000-7000-8000-000000000000",
}

EVERYWHERE_BAD = {
    "steers a terminal": "a\x1b[31mred",
    "turns the writing around": "a\u202egnp.exe",
    "is endless": "x" * 200_000,
}

FOREIGN = {
    ("data_files", "name"): ["../../etc/passwd", "", ".hidden", "a/b", "x" * 129, "ä.csv"],
    ("users", "name"): ["", " ada", "a  b", "\u200bada", "x" * 65, "ａｄａ"],
    ("teams", "name"): ["", " ada", "a  b", "\u200bada", "x" * 65],
    ("competition_secrets", "split_key"): ["", "00", "g" * 64, "A" * 64, "0" * 63, "0" * 66],
    ("teams", "invite_code"): ["", "1", "x" * 300, "a b c d e f g h i j k"],
    ("submissions", "filename"): ["", "a/b.csv", "x" * 256, "a\nb"],
    ("submissions", "note"): ["x" * 501, "two\nlines", " spaces "],
    ("submissions", "sha256"): ["", "0" * 63, "../../podium.sqlite3"],
    ("standings", "board"): ["", "secret"],
    ("competitions", "slug"): ["", "import", "a/b", "A"],
    ("teams", "id"): ["", "x", "../../x", "0" * 36],
}


def rows_of(full: Members, table: str) -> list[Any]:
    found = [json.loads(line) for line in full.get(f"tables/{table}.jsonl", b"").splitlines()]
    known = {name: value for name, value in STORED.items() if name in BY_NAME[table].columns}
    return found or [known | ROWS.get(table, {})]


def refuses(table: str, row: Any, column: str, value: Any) -> bool:
    line = json.dumps(row | {column: value}).encode()
    try:
        row_of(BY_NAME[table], line)
    except InvalidInput:
        return True
    return False


def test_no_text_holds_what_clients_may_not_send(full: Members) -> None:
    taken = {
        (*place, words)
        for place in TEXTS
        for row in rows_of(full, place[0])[:1]
        for words, value in EVERYWHERE_BAD.items()
        if not refuses(place[0], row, place[1], value)
    }
    assert taken == ALLOWED.keys()


def test_no_text_within_a_document_does_either(full: Members) -> None:
    taken = set()
    for table, column in DOCUMENTS:
        for row in rows_of(full, table)[:1]:
            bad = EVERYWHERE_BAD["steers a terminal"]
            value = [bad] if isinstance(row.get(column), list) else {"note": bad}
            if not refuses(table, row, column, value):
                taken.add((table, column))
    assert taken == set()


@pytest.mark.parametrize("place", FOREIGN, ids=".".join)
def test_what_the_api_refuses_an_archive_does_not_bring(
    full: Members, place: tuple[str, str]
) -> None:
    table, column = place
    row = rows_of(full, table)[0]
    assert not refuses(table, row, column, row[column])
    assert [value for value in FOREIGN[place] if not refuses(table, row, column, value)] == []


def test_every_table_has_a_good_row_to_begin_with(full: Members) -> None:
    for table, _ in TEXTS:
        if table == "metric_versions":
            continue  # Only tables have some: tests/api/custom_metrics/test_moving.py.
        row_of(BY_NAME[table], json.dumps(rows_of(full, table)[0]).encode())


def test_names_are_compared_by_the_rules_of_this_installation(
    application: Application, full: Members
) -> None:
    """An archive cannot say that two names differ which look the same here."""
    people = rows_of(full, "users")
    (ada, *_) = [place for place, row in enumerate(people) if not row["is_administrator"]]
    forged = edited(full, "users", setting("name_key", "administrator", row=ada))
    forged = edited(forged, "teams", setting("name_key", "somebody else's"))
    taken_in(application, packed(forged))
    with application.database.read() as session:
        assert all(user.name_key == name_key(user.name) for user in session.query(User))
        assert all(team.name_key == name_key(team.name) for team in session.query(Team))
