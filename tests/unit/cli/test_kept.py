"""The folders of a user's cache: what is believed, what is private, and what goes first."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from podium.cli.offline.kept import KeptFolders

MEBIBYTE = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def kept(folder: Path) -> KeptFolders:
    return KeptFolders(folder, MEBIBYTE)


def writing(content: bytes) -> Callable[[Path], None]:
    def write(to: Path) -> None:
        (to / "one").write_bytes(content)
        (to / "two").write_bytes(b"2")

    return write


def test_what_was_kept_is_found_under_its_key_alone(kept: KeptFolders) -> None:
    assert kept.found("a") is None
    kept.keep("a", writing(b"1"))
    place = kept.found("a")
    assert place is not None
    assert (place / "one").read_bytes() == b"1"
    assert kept.found("b") is None
    assert kept.found("a") == place


@pytest.mark.parametrize("name", ["one", "two", "seal"])
@pytest.mark.parametrize("damage", [b"", b"\xff", None])
def test_a_changed_folder_is_not_believed_and_goes(
    kept: KeptFolders, folder: Path, name: str, damage: bytes | None
) -> None:
    kept.keep("a", writing(b"1"))
    if damage is None:
        (folder / "a" / name).unlink()
    else:
        (folder / "a" / name).write_bytes(damage)
    assert kept.found("a") is None
    assert not (folder / "a").exists()


def test_a_folder_with_another_file_is_not_believed(kept: KeptFolders, folder: Path) -> None:
    kept.keep("a", writing(b"1"))
    (folder / "a" / "three").touch()
    assert kept.found("a") is None


def test_a_folder_under_the_key_of_another_is_not_believed(kept: KeptFolders, folder: Path) -> None:
    kept.keep("a", writing(b"1"))
    (folder / "a").rename(folder / "b")
    assert kept.found("b") is None


def test_what_was_not_used_for_the_longest_time_goes_first(kept: KeptFolders, folder: Path) -> None:
    for age, key in enumerate("cba"):
        kept.keep(key, writing(bytes(300_000)))
        os.utime(folder / key, (1000 - age, 1000 - age))
    kept.found("a")
    kept.keep("d", writing(bytes(300_000)))
    assert sorted(path.name for path in folder.iterdir()) == ["a", "c", "d"]


def test_what_is_too_large_is_not_kept(kept: KeptFolders, folder: Path) -> None:
    kept.keep("a", writing(b"1"))
    kept.keep("b", writing(bytes(MEBIBYTE)))
    assert [path.name for path in folder.iterdir()] == ["a"]


def test_what_a_killed_process_left_goes_after_a_day(kept: KeptFolders, folder: Path) -> None:
    kept.keep("a", writing(b"1"))
    for name in ("old", "fresh"):
        (folder / f".unfinished-{name}" / "kept").mkdir(parents=True)
    os.utime(folder / ".unfinished-old", (1000, 1000))
    kept.keep("b", writing(b"1"))
    assert sorted(path.name for path in folder.iterdir()) == [".unfinished-fresh", "a", "b"]


def test_two_at_once_keep_one(kept: KeptFolders, folder: Path) -> None:
    both = threading.Barrier(2)

    def keep(_: int) -> None:
        def write(to: Path) -> None:
            writing(b"1")(to)
            both.wait(30)

        kept.keep("a", write)

    with ThreadPoolExecutor(2) as beside:
        list(beside.map(keep, range(2)))
    assert [path.name for path in folder.iterdir()] == ["a"]
    assert kept.found("a") is not None


@pytest.mark.parametrize("place", ["/proc/nowhere", "~/cache", ""])
def test_without_a_usable_folder_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = KeptFolders(Path(place), MEBIBYTE)
    kept.keep("a", writing(b"1"))
    assert kept.found("a") is None
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_user_is_not_used(kept: KeptFolders, folder: Path) -> None:
    kept.keep("a", writing(b"1"))
    os.chown(folder, 12345, -1)
    assert kept.found("a") is None
    kept.keep("b", writing(b"1"))
    assert [path.name for path in folder.iterdir()] == ["a"]
