"""Traces of judgings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112201"
down_revision = "2026112003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        batch_op.add_column(sa.Column("traceparent", sa.String(length=64), nullable=True))


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        batch_op.drop_column("traceparent")
