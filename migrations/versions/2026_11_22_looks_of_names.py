"""looks of names"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from app.domain.names import look_of

revision = "2026112204"
down_revision = "2026112203"
branch_labels = None
depends_on = None

AT_ONCE = 1000


def upgrade() -> None:
    """Goes one step forward."""
    for table in ("users", "teams"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("look", sa.Text(), nullable=True))
        _fill(table)
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_users_look"), ["look"], unique=False)
    with op.batch_alter_table("teams", schema=None) as batch_op:
        batch_op.create_index("ix_teams_competition_look", ["competition_id", "look"], unique=False)


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("teams", schema=None) as batch_op:
        batch_op.drop_index("ix_teams_competition_look")
        batch_op.drop_column("look")
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_users_look"))
        batch_op.drop_column("look")


def _fill(name: str) -> None:
    """Names that are there keep theirs, also where two look alike: the column is not unique."""
    table = sa.table(name, sa.column("id"), sa.column("name"), sa.column("look"))
    connection = op.get_bind()
    rows = connection.execute(sa.select(table.c.id, table.c.name)).all()
    looks = [{"row_id": row_id, "new_look": look_of(text)} for row_id, text in rows]
    change = (
        sa.update(table)
        .where(table.c.id == sa.bindparam("row_id"))
        .values(look=sa.bindparam("new_look"))
    )
    for start in range(0, len(looks), AT_ONCE):
        connection.execute(change, looks[start : start + AT_ONCE])
