"""Data that the processes which judge could read: the service refuses to start with them."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.builders.processes.commands import Person, Ran
from tests.places import ROOT

LIBRARIES = Path(sysconfig.get_paths()["purelib"])


def started(folder: Path, **settings: str) -> Ran:
    """`podium worker`, which ends by itself here: its database was never made."""
    return Person(folder).types("worker", PODIUM_MIN_FREE_BYTES="0", **settings)


def refused(ran: Ran) -> bool:
    assert ran.code == 2, ran.err
    assert "Traceback" not in ran.err
    return "every process that judges a file may read" in ran.err


def test_a_data_folder_below_the_libraries_or_the_package_is_refused(tmp_path: Path) -> None:
    for place in (
        LIBRARIES / "podium-data",
        ROOT / "app" / "podium" / "podium-data",
        "/usr/lib/podium",
    ):
        ran = started(tmp_path, PODIUM_DATA_DIR=str(place))
        assert refused(ran), place
        assert str(place) in ran.err
        assert len(ran.err.strip().splitlines()) == 1
        assert not Path(place).exists()


def test_a_relative_folder_and_a_symbolic_link_are_followed(tmp_path: Path) -> None:
    relative = os.path.relpath(LIBRARIES, tmp_path)
    assert refused(started(tmp_path, PODIUM_DATA_DIR=f"{relative}/podium-data"))
    (tmp_path / "link").symlink_to(LIBRARIES)
    assert refused(started(tmp_path, PODIUM_DATA_DIR="link/podium-data"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "storage").symlink_to(LIBRARIES / "podium-files")
    assert refused(started(tmp_path, PODIUM_DATA_DIR="data"))


@pytest.mark.parametrize("address", ["sqlite:///{}", "sqlite:///file:{}?uri=true"])
def test_a_database_elsewhere_is_looked_at_too(tmp_path: Path, address: str) -> None:
    place = LIBRARIES / "planted.sqlite3"
    assert refused(started(tmp_path, PODIUM_DATABASE_URL=address.format(place)))
    (tmp_path / "rows").symlink_to(place)
    assert refused(started(tmp_path, PODIUM_DATABASE_URL=address.format(tmp_path / "rows")))


def test_data_in_the_clone_or_beside_an_environment_are_fine(tmp_path: Path) -> None:
    for place in (ROOT / "podium-data", Path(sys.prefix) / "podium-data", tmp_path):
        assert not refused(started(tmp_path, PODIUM_DATA_DIR=str(place))), place
        assert "There is no database" in started(tmp_path, PODIUM_DATA_DIR=str(place)).err
