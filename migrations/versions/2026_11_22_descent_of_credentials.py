"""Descent of credentials."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112202"
down_revision = "2026112201"
branch_labels = None
depends_on = None

REFERENCES = (
    ("access_tokens", "parent_id"),
    ("page_sessions", "token_id"),
    ("provided_identities", "token_id"),
)
"""What remembers the token that it came from; what is there already came from none."""


def upgrade() -> None:
    """Goes one step forward."""
    for table, column in REFERENCES:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column(column, sa.String(length=36), nullable=True))
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)
            batch_op.create_foreign_key(
                batch_op.f(f"fk_{table}_{column}_access_tokens"), "access_tokens", [column], ["id"]
            )
    with op.batch_alter_table("access_tokens", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("set_password", sa.Boolean(), server_default=sa.false(), nullable=False)
        )
    with op.batch_alter_table("access_tokens", schema=None) as batch_op:
        batch_op.alter_column("set_password", server_default=None)


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("access_tokens", schema=None) as batch_op:
        batch_op.drop_column("set_password")
    for table, column in reversed(REFERENCES):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_constraint(f"fk_{table}_{column}_access_tokens", type_="foreignkey")
            batch_op.drop_index(batch_op.f(f"ix_{table}_{column}"))
            batch_op.drop_column(column)
