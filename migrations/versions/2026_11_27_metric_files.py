"""Metric files of organizers, and what a judging by one of them keeps."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112701"
down_revision = "2026112602"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "metric_versions",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("competition_id", sa.String(length=36), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("checked", JSON, nullable=True),
        sa.Column("problem", JSON, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_metric_versions_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_metric_versions_created_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_metric_versions")),
        sa.UniqueConstraint(
            "competition_id", "version", name=op.f("uq_metric_versions_competition_id_version")
        ),
    )
    with op.batch_alter_table("metric_versions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_metric_versions_competition_id"), ["competition_id"])
    with op.batch_alter_table("ground_truth_versions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("parts", JSON, nullable=True))
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        batch_op.add_column(sa.Column("metric_version", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("private_run", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("metric_notes", JSON, nullable=True))


def downgrade() -> None:
    """Goes one step back. Metric files go."""
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        for name in ("metric_notes", "private_run", "metric_version"):
            batch_op.drop_column(name)
    with op.batch_alter_table("ground_truth_versions", schema=None) as batch_op:
        batch_op.drop_column("parts")
    with op.batch_alter_table("metric_versions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_metric_versions_competition_id"))
    op.drop_table("metric_versions")
