"""Mail: the proven address of an account, and links that were sent by mail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112501"
down_revision = "2026112402"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("users", schema=None) as batch_op:
        for name in ("mail", "mail_key"):
            batch_op.add_column(sa.Column(name, sa.Text(), nullable=True))
        batch_op.create_index(batch_op.f("ix_users_mail_key"), ["mail_key"], unique=True)
    op.create_table(
        "mail_links",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("mail", sa.Text(), nullable=False),
        sa.Column("mail_key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("next_address", sa.Text(), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_mail_links_user_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_links")),
        sa.UniqueConstraint("sha256", name=op.f("uq_mail_links_sha256")),
    )
    with op.batch_alter_table("mail_links", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_mail_links_mail_key"), ["mail_key"])
        batch_op.create_index(batch_op.f("ix_mail_links_user_id"), ["user_id"])


def downgrade() -> None:
    """Goes one step back. Addresses of accounts go."""
    with op.batch_alter_table("mail_links", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_mail_links_user_id"))
        batch_op.drop_index(batch_op.f("ix_mail_links_mail_key"))
    op.drop_table("mail_links")
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_users_mail_key"))
        for name in ("mail_key", "mail"):
            batch_op.drop_column(name)
