"""An installation whose database is there and whose files are not, or not all of them."""

from __future__ import annotations

import shutil
from pathlib import Path

from podium.storage import Area
from tests.builders.processes.commands import Person
from tests.builders.processes.serving import launch, serving


def settled(home: Path) -> Person:
    """The operator of an installation with a competition, which was stopped."""
    home.mkdir()
    with serving(home) as installation, installation.organizer() as organizer:
        launch(organizer, "shop", home)
    return Person(home)


def test_a_store_without_any_file_of_the_database_is_not_served(tmp_path: Path) -> None:
    operator = settled(tmp_path / "home")
    storage = operator.home / "data" / "storage"
    storage.rename(operator.home / "kept")
    for is_empty in (False, True):
        if is_empty:
            storage.mkdir(exist_ok=True)
        for command in ("serve", "worker"):
            ran = operator.types(command, PODIUM_DATA_DIR=str(operator.home / "data"))
            assert (ran.code, ran.out) == (2, ""), ran.err
            assert "files that the database names are not in the storage, such as" in ran.err
            assert f"See that the disk of {storage} is mounted, or restore a backup." in ran.err


def test_doctor_finds_single_files_that_are_lost(tmp_path: Path) -> None:
    operator = settled(tmp_path / "home")
    data = {"PODIUM_DATA_DIR": str(operator.home / "data")}
    before = operator.types("doctor", "--json", **data).document
    whole = before["facts"]["kept files"]
    count = int(whole.split()[0])
    assert whole == f"{count} of {count} are there"
    assert not any("in the storage" in failure for failure in before["failures"])
    shutil.rmtree(operator.home / "data" / "storage" / Area.GROUND_TRUTH)
    after = operator.types("doctor", "--json", **data).document
    (lost,) = [one for one in after["failures"] if "are not in the storage" in one]
    assert f" of {count} files that the database names" in lost
    assert f"such as {Area.GROUND_TRUTH}/" in lost


def test_files_without_their_database_are_no_new_installation(tmp_path: Path) -> None:
    operator = settled(tmp_path / "home")
    data = operator.home / "data"
    (data / "podium.sqlite3").rename(operator.home / "kept.sqlite3")
    for is_empty in (False, True):
        if is_empty:
            (data / "podium.sqlite3").touch()
        ran = operator.types("serve", PODIUM_DATA_DIR=str(data))
        assert (ran.code, ran.out) == (2, ""), ran.err
        assert f"There are files in {data / 'storage'}, and no database" in ran.err
        assert (data / "podium.sqlite3").exists() is is_empty
