"""Old backups go with the files that only they had; what is left can be restored in full."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from podium.errors import NotFound, WrongState
from podium.operations.service.backups import find_backup, known_backups, prune
from podium.storage.shelf import Shelf, make_shelf
from tests.builders.servers.s3 import S3Server

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.s3)])
def shelf(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    if request.param == "folder":
        return make_shelf(str(tmp_path / "shelf"), name="--to")
    s3: S3Server = request.getfixturevalue("s3")
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
    return make_shelf(s3.address("pruning", tmp_path.name), name="--to")


def written(shelf: Shelf, name: str, text: str, folder: Path) -> None:
    file = folder / "written"
    file.write_text(text)
    shelf.put(name, file)


def backed_up(shelf: Shelf, folder: Path, days_ago: float, files: str, *, ends: bool = True) -> str:
    """A backup as it lies there: one file for each letter."""
    name = (NOW - timedelta(days=days_ago)).strftime("%Y%m%dT%H%M%S.%fZ")
    written(shelf, f"{name}/database", "rows", folder)
    for letter in files:
        written(shelf, f"files/submissions/{letter}", letter, folder)
    if ends:
        told = {
            "name": name,
            "made_at": "then",
            "version": "1",
            "database": "sqlite",
            "database_sha256": "",
            "files": [["submissions", letter] for letter in files],
            "lacking": [],
            "format": 1,
        }
        written(shelf, f"{name}/backup.json", json.dumps(told), folder)
    return name


def files_of(shelf: Shelf) -> set[str]:
    return {path.rpartition("/")[2] for path in shelf.names("files")}


def test_the_latest_ones_stay_with_every_file_that_they_name(shelf: Shelf, tmp_path: Path) -> None:
    names = [backed_up(shelf, tmp_path, 9 - n, files) for n, files in enumerate(("ab", "bc", "cd"))]
    pruned = prune(shelf, keep=2, now=NOW)
    assert (pruned.backups, pruned.files, pruned.other) == (names[:1], 1, None)
    assert known_backups(shelf) == names[1:]
    assert files_of(shelf) == {"b", "c", "d"}
    assert {path.partition("/")[0] for path in shelf.names("")} == {*names[1:], "files"}
    with pytest.raises(NotFound):
        find_backup(shelf, name=names[0])


def test_with_as_many_as_there_are_nothing_goes(shelf: Shelf, tmp_path: Path) -> None:
    backed_up(shelf, tmp_path, 1, "ab")
    before = shelf.names("")
    assert prune(shelf, keep=1, now=NOW).backups == []
    assert shelf.names("") == before


def test_files_stay_while_another_backup_is_being_made(shelf: Shelf, tmp_path: Path) -> None:
    old = backed_up(shelf, tmp_path, 5, "a")
    backed_up(shelf, tmp_path, 3, "b")
    running = backed_up(shelf, tmp_path, 0.1, "", ends=False)
    pruned = prune(shelf, keep=1, now=NOW)
    assert (pruned.backups, pruned.files, pruned.other) == ([old], 0, running)
    assert files_of(shelf) == {"a", "b"}
    assert f"{running}/database" in shelf.names("")


def test_what_was_broken_off_long_ago_goes(shelf: Shelf, tmp_path: Path) -> None:
    broken = backed_up(shelf, tmp_path, 2, "x", ends=False)
    kept = backed_up(shelf, tmp_path, 1, "b")
    pruned = prune(shelf, keep=1, now=NOW)
    assert (pruned.backups, pruned.files) == ([], 1)
    assert not shelf.names(broken)
    assert (known_backups(shelf), files_of(shelf)) == ([kept], {"b"})


def test_what_is_no_backup_is_let_alone(shelf: Shelf, tmp_path: Path) -> None:
    for name in ("photos/database", "20200101/database", "notes", "other/backup.json.old"):
        written(shelf, name, "mine", tmp_path)
    before = shelf.names("")
    old = backed_up(shelf, tmp_path, 3, "")
    kept = backed_up(shelf, tmp_path, 2, "")
    assert prune(shelf, keep=1, now=NOW).backups == [old]
    assert shelf.names("") == before | {f"{kept}/database", f"{kept}/backup.json"}


def test_no_file_goes_where_a_list_cannot_be_read(shelf: Shelf, tmp_path: Path) -> None:
    backed_up(shelf, tmp_path, 5, "a")
    strange = backed_up(shelf, tmp_path, 3, "b", ends=False)
    written(shelf, f"{strange}/backup.json", '{"format": 2, "version": "9.0"}', tmp_path)
    with pytest.raises(WrongState, match=r"9\.0"):
        prune(shelf, keep=1, now=NOW)
    assert files_of(shelf) == {"a", "b"}
