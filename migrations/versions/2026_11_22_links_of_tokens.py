"""Links of tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112205"
down_revision = "2026112204"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("one_time_links", schema=None) as batch_op:
        batch_op.add_column(sa.Column("token_id", sa.String(length=36), nullable=True))
        batch_op.create_index(batch_op.f("ix_one_time_links_token_id"), ["token_id"], unique=False)
        batch_op.create_foreign_key(
            batch_op.f("fk_one_time_links_token_id_access_tokens"),
            "access_tokens",
            ["token_id"],
            ["id"],
        )


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("one_time_links", schema=None) as batch_op:
        batch_op.drop_constraint("fk_one_time_links_token_id_access_tokens", type_="foreignkey")
        batch_op.drop_index(batch_op.f("ix_one_time_links_token_id"))
        batch_op.drop_column("token_id")
