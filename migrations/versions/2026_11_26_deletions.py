"""Deletions: the mark of a competition whose rows are being removed, and an index for it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112601"
down_revision = "2026112501"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("competitions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    with op.batch_alter_table("standings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_standings_team_id"), ["team_id"])


def downgrade() -> None:
    """Goes one step back, unless a competition is being deleted: without the mark it would be there
    again, in parts."""
    marked = sa.text("SELECT count(*) FROM competitions WHERE deleted_at IS NOT NULL")
    if op.get_bind().scalar(marked):
        raise RuntimeError(
            "A competition is being deleted. Let a worker of this version finish, then go back:"
            " its entry `competition.remove` in the audit log says when."
        )
    with op.batch_alter_table("standings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_standings_team_id"))
    with op.batch_alter_table("competitions", schema=None) as batch_op:
        batch_op.drop_column("deleted_at")
