"""A password of the database with every character that means something in an address."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.builders.processes.commands import Person, Ran
from tests.builders.processes.serving import serving
from tests.builders.servers.locked_postgres import locked, with_programs_of

pytestmark = pytest.mark.postgres

PASSWORD = "p@ss%word/#?"


@pytest.fixture
def address(postgres_server_url: str) -> Iterator[sa.URL]:
    with locked(postgres_server_url, PASSWORD) as address:
        yield address


@pytest.fixture
def again(postgres_server_url: str) -> Iterator[sa.URL]:
    """The database that a backup is restored to."""
    with locked(postgres_server_url, PASSWORD) as address:
        yield address


@pytest.mark.parametrize("is_in_the_address", [True, False], ids=["address", "PGPASSWORD"])
def test_every_command_gets_in(
    tmp_path: Path,
    address: sa.URL,
    again: sa.URL,
    postgres_server_url: str,
    is_in_the_address: bool,
) -> None:
    path = with_programs_of(postgres_server_url)

    def settings(here: sa.URL) -> dict[str, str]:
        common = {"PODIUM_MIN_FREE_BYTES": "0", "PATH": path}
        if is_in_the_address:
            full = here.set(password=PASSWORD).render_as_string(hide_password=False)
            return common | {"PODIUM_DATABASE_URL": full}
        named = here.render_as_string(hide_password=False)
        return common | {"PODIUM_DATABASE_URL": named, "PGPASSWORD": PASSWORD}

    def types(here: sa.URL, *command: str) -> Ran:
        return Person(tmp_path).types(*command, **settings(here))

    (tmp_path / "podium-data").mkdir(mode=0o700)
    refused = Person(tmp_path).types(
        "migrate", PODIUM_DATABASE_URL=address.render_as_string(hide_password=False)
    )
    assert refused.code != 0, "the server asks for no password"
    assert types(address, "migrate").err == ""
    assert types(address, "backup", "--to", "copies").code == 0
    restored = types(again, "restore", "--from", "copies")
    assert restored.code == 0, restored.err
    for here in (address, again):
        looked = types(here, "doctor")
        # No worker judges here, and that is the only thing that is wrong.
        assert looked.err == (
            "No worker is running: nothing is judged, and organizers' files are not read."
            " Run `podium serve` or `podium worker`.\n"
        )
    data = str(tmp_path / "podium-data")
    with serving(tmp_path, PODIUM_DATA_DIR=data, **settings(again)):
        # The queue has connections of its own.
        assert types(again, "doctor").err == ""


def test_no_program_is_told_the_password_where_everybody_can_read_it(
    tmp_path: Path, address: sa.URL
) -> None:
    full = address.set(password=PASSWORD).render_as_string(hide_password=False)
    person = Person(tmp_path)
    (tmp_path / "podium-data").mkdir()
    assert person.types("migrate", PODIUM_DATABASE_URL=full).code == 0
    (tmp_path / "own").mkdir()
    program = tmp_path / "own" / "pg_dump"
    program.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.0" && exit\n'
        'echo "$@" > told; echo "$PGPASSWORD" > known; exit 1\n'
    )
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    ran = person.types("backup", "--to", "copies", PODIUM_DATABASE_URL=full, PATH=path)
    assert ran.code == 4
    told = (tmp_path / "told").read_text()
    assert str(address.username) in told
    assert "ss%25word" not in told
    assert "word" not in told
    assert (tmp_path / "known").read_text() == f"{PASSWORD}\n"
