"""Checks that run every few seconds for as long as a process lives, even when it is idle. Compiled
once, a check costs a fraction of a query that is built each time."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Engine, select

from podium.core.database.engine import Database


class Precheck:
    """A condition on all rows, without a time in it: true while there may be something to do."""

    def __init__(self, condition: ColumnElement[bool]) -> None:
        self._condition = condition
        self._texts: dict[str, str] = {}

    def passes(self, database: Database) -> bool:
        """True if the condition is met now."""
        engine = database.read_engine
        name = engine.dialect.name
        if name not in self._texts:
            self._texts[name] = text_of(engine, self._condition)
        with engine.connect() as connection:
            return bool(connection.exec_driver_sql(self._texts[name]).scalar())


def text_of(engine: Engine, *conditions: ColumnElement[bool]) -> str:
    """Compiles one statement that selects all the conditions, in the SQL of this database."""
    return str(select(*conditions).compile(engine, compile_kwargs={"literal_binds": True}))
