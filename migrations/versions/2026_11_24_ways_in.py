"""Ways in: links of several seats, requests for an account, requests to enter a competition."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112401"
down_revision = "2026112207"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("one_time_links", schema=None) as batch_op:
        batch_op.add_column(sa.Column("code", sa.Text(), nullable=True))
        for name, default in (("seats", "1"), ("seats_taken", "0")):
            batch_op.add_column(
                sa.Column(name, sa.BigInteger(), server_default=default, nullable=False)
            )
    op.execute("UPDATE one_time_links SET seats_taken = 1 WHERE used_at IS NOT NULL")
    with op.batch_alter_table("one_time_links", schema=None) as batch_op:
        for name in ("seats", "seats_taken"):
            batch_op.alter_column(name, server_default=None)
    _create_sign_up_requests()
    _create_join_requests()


def downgrade() -> None:
    """Goes one step back. Links that the version before does not know go."""
    with op.batch_alter_table("join_requests", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_join_requests_user_id"))
    op.drop_table("join_requests")
    with op.batch_alter_table("sign_up_requests", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_up_requests_user_id"))
        batch_op.drop_index(batch_op.f("ix_sign_up_requests_state"))
    op.drop_table("sign_up_requests")
    op.execute("DELETE FROM one_time_links WHERE seats > 1 OR kind = 'first'")
    with op.batch_alter_table("one_time_links", schema=None) as batch_op:
        for name in ("seats_taken", "seats", "code"):
            batch_op.drop_column(name)


def _create_sign_up_requests() -> None:
    op.create_table(
        "sign_up_requests",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_by", sa.String(length=36), nullable=True),
        sa.Column("user_id", sa.String(length=36), nullable=True),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["users.id"], name=op.f("fk_sign_up_requests_decided_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sign_up_requests_user_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_up_requests")),
        sa.UniqueConstraint("sha256", name=op.f("uq_sign_up_requests_sha256")),
    )
    with op.batch_alter_table("sign_up_requests", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_up_requests_state"), ["state"])
        batch_op.create_index(batch_op.f("ix_sign_up_requests_user_id"), ["user_id"])


def _create_join_requests() -> None:
    op.create_table(
        "join_requests",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("competition_id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_by", sa.String(length=36), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_join_requests_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["users.id"], name=op.f("fk_join_requests_decided_by_users")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_join_requests_user_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_join_requests")),
        sa.UniqueConstraint(
            "competition_id", "user_id", name=op.f("uq_join_requests_competition_id_user_id")
        ),
    )
    with op.batch_alter_table("join_requests", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_join_requests_user_id"), ["user_id"])
