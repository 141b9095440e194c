"""Sentences about databases that operators meet."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy.exc import OperationalError

from podium.cli.operator.failures import of_database
from podium.settings import Settings


def test_a_full_disk_is_told_as_one_with_what_to_do() -> None:
    full = OperationalError("", {}, sqlite3.OperationalError("database or disk is full"))
    assert of_database(full, Settings(data_dir=Path("/srv/data"))) == (
        "The database sqlite:////srv/data/podium.sqlite3 cannot be written: database or disk is"
        " full. Free some space there, or name another place as PODIUM_DATA_DIR."
    )
