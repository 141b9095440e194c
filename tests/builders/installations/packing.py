"""A frozen installation as one file: its data folder, its database, and what it answered."""

from __future__ import annotations

import json
import subprocess
import tarfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.builders.servers import postgres

FOLDER = Path(__file__).with_name("frozen")
"""All frozen installations."""

ANSWERS = "answers.json"
DUMP = "database.sql"


def packed(name: str, folder: Path, answers: Mapping[str, Any]) -> Path:
    """Writes the file of an installation: what lies in the folder, and what it answered."""
    (folder / ANSWERS).write_text(json.dumps(answers, indent=0, sort_keys=True))
    FOLDER.mkdir(exist_ok=True)
    written = FOLDER / f"{name}.tar.xz"
    with tarfile.open(written, "w:xz", preset=9) as archive:
        for member in sorted(folder.iterdir()):
            archive.add(member, member.name, filter=_anonymous)
    return written


def names() -> list[str]:
    """The names of all frozen installations."""
    return sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))


def unpacked(name: str, folder: Path) -> Any:
    """Lays the data folder of a frozen installation into a folder: what it answered."""
    with tarfile.open(FOLDER / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    (folder / "data").chmod(0o700)
    return json.loads((folder / ANSWERS).read_bytes())


def load(dump: Path, database_url: str) -> None:
    """Fills an empty database of PostgreSQL."""
    engine = sa.create_engine(database_url, poolclass=sa.NullPool)
    with closing(engine.raw_connection()) as connection:
        # Without parameters the driver sends all statements at once.
        connection.cursor().execute(dump.read_text())
        connection.commit()


def dump(database_url: str, folder: Path) -> None:
    """Writes a database of PostgreSQL as plain SQL, without commands of `psql`."""
    url = sa.make_url(database_url).set(drivername="postgresql")
    with pytest.MonkeyPatch.context() as patched:
        postgres.take_client_programs(database_url, patched)
        plain = ["--inserts", "--no-owner", "--no-privileges"]
        address = url.render_as_string(hide_password=False)
        ran = subprocess.run(["pg_dump", *plain, address], check=True, capture_output=True)
    lines = ran.stdout.splitlines(keepends=True)
    (folder / DUMP).write_bytes(b"".join(line for line in lines if not line.startswith(b"\\")))


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """A member without its owner; pipes and locks stay behind."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member if member.isreg() or member.isdir() else None
