"""Looks filled."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from podium.core.names import look_of

revision = "2026112206"
down_revision = "2026112205"
branch_labels = None
depends_on = None

AT_ONCE = 1000


def upgrade() -> None:
    """Goes one step forward.

    What is filled in follows the `look_of` of the programs that run this, not that of its day:
    whoever changes that function adds a step that does the same again.
    """
    users, teams = (
        sa.table(name, *map(sa.column, ("id", "name", "look", "deleted_at")))
        for name in ("users", "teams")
    )
    op.execute(sa.update(users).where(users.c.deleted_at.is_not(None)).values(look=None))
    _fill(users, sa.select(users.c.id, users.c.name).where(users.c.deleted_at.is_(None)))
    _fill(teams, sa.select(teams.c.id, teams.c.name))


def downgrade() -> None:
    """Goes one step back. What was there before does no harm."""


def _fill(table: sa.TableClause, query: sa.Select[str, str]) -> None:
    """Names that are there keep theirs, also where two look alike: the column is not unique."""
    connection = op.get_bind()
    looks = [
        {"row_id": row_id, "new_look": look_of(text)} for row_id, text in connection.execute(query)
    ]
    change = (
        sa.update(table)
        .where(table.c.id == sa.bindparam("row_id"))
        .values(look=sa.bindparam("new_look"))
    )
    for start in range(0, len(looks), AT_ONCE):
        connection.execute(change, looks[start : start + AT_ONCE])
