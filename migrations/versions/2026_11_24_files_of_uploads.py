"""Organizers' files of uploads, and what clients of tus say beside an upload."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112402"
down_revision = "2026112401"
branch_labels = None
depends_on = None

COLUMNS = ("file_area", "file_sha256", "tus_metadata")


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("uploads") as table:
        for name in COLUMNS:
            table.add_column(sa.Column(name, sa.Text(), nullable=True))
        table.add_column(
            sa.Column("is_secret", sa.Boolean(), server_default=sa.text("'0'"), nullable=False)
        )


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("uploads") as table:
        table.drop_column("is_secret")
        for name in reversed(COLUMNS):
            table.drop_column(name)
