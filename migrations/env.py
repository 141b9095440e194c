"""Connects alembic to the database: through `podium.core.database.migrate`, or on its own for a new
revision.

Only our own tables are looked at: on SQLite the job engine keeps its tables in the same file.
"""

from __future__ import annotations

from typing import Literal

from alembic import context
from sqlalchemy import Connection

from podium.core.database.engine import Database
from podium.core.database.types import ExactNumber, UtcDateTime
from podium.core.models import Base
from podium.settings import Settings


def _is_ours(name: str | None, kind: str, _parents: object) -> bool:
    return kind != "table" or name in Base.metadata.tables


def _render(kind: str, item: object, _context: object) -> str | Literal[False]:
    # A step must not change its meaning when our column types do, so it names plain ones.
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, ExactNumber):
        return "sa.String()"
    return False


def _migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        include_name=_is_ours,
        render_item=_render,
        # One transaction over all steps, and it belongs to the caller that opened the connection.
        transactional_ddl=True,
    )
    context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    _migrate(given)
else:
    database = Database(context.get_x_argument(as_dictionary=True).get("url", Settings().database))
    with database.write_engine.begin() as own:
        _migrate(own)
    database.close()
