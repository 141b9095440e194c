"""Databases that this version of Podium cannot work with: those of other programs, which stay as
they are, and those of a newer version."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.builders.processes.commands import Person, Ran

SERVE = ("serve", "--port", "0", "--no-worker")
STARTS = [SERVE, ("migrate",), ("worker",)]
READERS = [("doctor",), ("backup", "--to", "copies"), ("export", "shop", "--to", "shop.zip")]

FOREIGN = ("customers", "invoices", "orders", "payments")


def line_of(ran: Ran) -> str:
    """The only line that was said."""
    [line] = ran.err.splitlines()
    return line


def of_another_program(path: Path) -> bytes:
    """A file of SQLite with the tables of a shop; answers its bytes."""
    path.parent.mkdir(exist_ok=True, mode=0o700)
    with closing(sqlite3.connect(path)) as connection:
        for table in FOREIGN:
            connection.execute(f"CREATE TABLE {table} (id INTEGER)")
        connection.commit()
    path.chmod(0o600)
    return path.read_bytes()


@pytest.mark.parametrize("command", [*STARTS, *READERS], ids=lambda it: it[0])
def test_the_file_of_another_program_is_refused_and_stays_as_it_is(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    shop = tmp_path / "shop" / "shop.sqlite3"
    before = of_another_program(shop)
    (tmp_path / "podium-data").mkdir(mode=0o700)
    ran = Person(tmp_path).types(*command, PODIUM_DATABASE_URL=f"sqlite:///{shop}")
    assert ran.code == (4 if command == ("doctor",) else 2)
    told = ran.err.splitlines() if command == ("doctor",) else [line_of(ran)]
    assert (
        f"The database sqlite:///{shop} belongs to another program: it holds tables (customers,"
        " invoices, orders and 1 more), and none of them is Podium's. Name an empty one as"
        " PODIUM_DATABASE_URL."
    ) in told
    assert shop.read_bytes() == before
    assert [path.name for path in shop.parent.iterdir()] == ["shop.sqlite3"]


def test_such_a_file_in_the_data_folder_has_the_folder_named(tmp_path: Path) -> None:
    of_another_program(tmp_path / "podium-data" / "podium.sqlite3")
    ran = Person(tmp_path).types(*SERVE)
    assert ran.code == 2
    assert "Name another folder as PODIUM_DATA_DIR" in line_of(ran)


@pytest.mark.postgres
@pytest.mark.parametrize("command", STARTS, ids=lambda it: it[0])
def test_the_database_of_another_program_on_a_server_is_refused(
    tmp_path: Path, empty_postgres_url: str, command: tuple[str, ...]
) -> None:
    engine = sa.create_engine(empty_postgres_url)
    with engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE customers (id integer)"))
    ran = Person(tmp_path).types(*command, PODIUM_DATABASE_URL=empty_postgres_url)
    assert ran.code == 2
    assert "it holds tables (customers), and none of them is Podium's." in line_of(ran)
    assert sa.inspect(engine).get_table_names() == ["customers"]
    assert "dbos" not in sa.inspect(engine).get_schema_names()
    engine.dispose()


def test_a_file_without_any_table_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "podium-data").mkdir(mode=0o700)
    (tmp_path / "podium-data" / "podium.sqlite3").touch(0o600)
    ran = Person(tmp_path).types("migrate")
    assert (ran.code, ran.out) == (0, "The database is up to date.\n"), ran.err


@pytest.mark.parametrize("command", [*STARTS, *READERS], ids=lambda it: it[0])
def test_a_database_of_a_newer_version_says_what_to_install(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    operator = Person(tmp_path)
    assert operator.types("migrate").code == 0
    with closing(sqlite3.connect(tmp_path / "podium-data" / "podium.sqlite3")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '2099010101'")
        connection.commit()
    ran = operator.types(*command)
    assert ran.code == (4 if command == ("doctor",) else 2)
    assert "is not one of this version of Podium" in ran.err
    assert "2099010101" in ran.err
    assert "Install the version that it was last used with, or a newer one." in ran.err
    assert "podium migrate" not in ran.err
    assert "Traceback" not in ran.err
