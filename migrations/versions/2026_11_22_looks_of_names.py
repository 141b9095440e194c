"""Looks of names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112204"
down_revision = "2026112203"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward. The next step but one fills the columns."""
    for table in ("users", "teams"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("look", sa.Text(), nullable=True))
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
