"""The schema's history against real, empty databases."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from podium.core.database.engine import Database, database_now
from podium.core.database.migrate import downgrade, is_up_to_date, migrate
from podium.core.models import Base, Competition, Judging, Run
from tests.builders.databases import tables_in
from tests.builders.rows import add_competition, add_scored, add_team, private_run_of


def test_the_migrated_schema_is_exactly_that_of_the_models(database: Database) -> None:
    with database.read_engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "include_name": lambda name, kind, _: (
                    kind != "table" or name in Base.metadata.tables
                ),
                "compare_type": True,
            },
        )
        assert compare_metadata(context, Base.metadata) == []


def test_the_way_back_leaves_no_table_of_ours_and_the_way_forth_works_again(
    empty_database_url: str,
) -> None:
    migrate(empty_database_url)
    downgrade(empty_database_url)
    assert tables_in(empty_database_url).isdisjoint(Base.metadata.tables)
    migrate(empty_database_url)
    assert set(Base.metadata.tables) <= tables_in(empty_database_url)


def test_there_is_no_way_back_while_a_competition_is_being_deleted(
    database: Database, database_url: str
) -> None:
    with database.write() as session:
        competition = add_competition(session)
        competition.deleted_at = database_now(session)
    with pytest.raises(RuntimeError, match="is being deleted"):
        downgrade(database_url, revision="2026112501")
    assert is_up_to_date(database)
    with database.write() as session:
        session.delete(session.get_one(Competition, competition.id))
    downgrade(database_url, revision="2026112501")
    assert not is_up_to_date(database)


def test_a_competition_that_was_private_does_not_open_to_all_who_know_its_address(
    database: Database, database_url: str
) -> None:
    downgrade(database_url, revision="2026112702")
    kinds = {
        "hidden": ("private", {"registration": "open"}),
        "listed": ("public", {"registration": "open"}),
        "class": ("private", {"registration": "code", "registration_code": "spring 26"}),
    }
    with database.write() as session:
        for slug, (visibility, settings) in kinds.items():
            add_competition(session, slug=slug, settings=settings).visibility = visibility
    migrate(database_url)
    with database.read() as session:
        found = {each.slug: each.settings["registration"] for each in session.query(Competition)}
    assert found == {"hidden": "invite", "listed": "open", "class": "code"}


def test_on_the_way_back_a_judging_gets_the_file_that_its_private_run_made(
    database: Database, database_url: str
) -> None:
    with database.write() as session:
        team, _ = add_team(session, add_competition(session), "ada")
        for _ in range(2):
            add_scored(session, team, public="0.5", private="0.5")
        both, alone = session.query(Judging)
        both.hits_sha256 = alone.hits_sha256 = "of the public split"
        session.add(private_run_of(both, state="done", hits_sha256="of both splits"))
        session.add(private_run_of(alone, state="failed"))
        judgings = {both.id: "of both splits", alone.id: "of the public split"}
    downgrade(database_url, revision="2026112901")
    with database.read() as session:
        rows = session.execute(text("SELECT id, hits_sha256 FROM judgings"))
        assert {row.id: row.hits_sha256 for row in rows} == judgings
    migrate(database_url)
    with database.read() as session:
        assert [each.hits_sha256 for each in session.query(Run)] == [None] * 4


def test_migrating_twice_changes_nothing(empty_database_url: str) -> None:
    migrate(empty_database_url)
    before = tables_in(empty_database_url)
    migrate(empty_database_url)
    assert tables_in(empty_database_url) == before


def test_an_empty_database_is_not_up_to_date(empty_database_url: str) -> None:
    database = Database(empty_database_url)
    assert not is_up_to_date(database)
    migrate(empty_database_url)
    assert is_up_to_date(database)
    database.close()


def test_a_sqlite_database_is_in_wal_mode(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with database.read_engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    database.close()
