"""Jobs."""

from __future__ import annotations

import hashlib
import json

import sqlalchemy as sa
import uuid_utils
from alembic import op

revision = "2026112207"
down_revision = "2026112206"
branch_labels = None
depends_on = None

JSON_OR_NULL = sa.JSON(none_as_null=True)

UPLOADS = sa.table(
    "ground_truth_versions",
    sa.column("id", sa.String),
    sa.column("competition_id", sa.String),
    sa.column("status", sa.String),
    sa.column("created_at", sa.DateTime(timezone=True)),
    sa.column("created_by", sa.String),
)


def upgrade() -> None:
    """Goes one step forward. Ground truths that were being read are read anew, by a worker."""
    jobs = op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("competition_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("arguments", JSON_OR_NULL, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("priority", sa.BigInteger(), nullable=False),
        sa.Column("dispatches", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by", sa.String(length=36), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("keep_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worker_id", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("worker_deaths", sa.BigInteger(), nullable=False),
        sa.Column("own_failures", sa.BigInteger(), nullable=False),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("result", JSON_OR_NULL, nullable=True),
        sa.Column("file_sha256", sa.Text(), nullable=True),
        sa.Column("problem", JSON_OR_NULL, nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("traceparent", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_jobs_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_jobs_created_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jobs_competition_id"), ["competition_id"])
        batch_op.create_index(batch_op.f("ix_jobs_file_sha256"), ["file_sha256"])
        batch_op.create_index(batch_op.f("ix_jobs_keep_until"), ["keep_until"])
        batch_op.create_index(batch_op.f("ix_jobs_key"), ["key"])
        batch_op.create_index("ix_jobs_unfinished", ["state", "lease_until"])
    _read_on(jobs)


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_jobs_unfinished")
        batch_op.drop_index(batch_op.f("ix_jobs_key"))
        batch_op.drop_index(batch_op.f("ix_jobs_keep_until"))
        batch_op.drop_index(batch_op.f("ix_jobs_file_sha256"))
        batch_op.drop_index(batch_op.f("ix_jobs_competition_id"))
    op.drop_table("jobs")


def _read_on(jobs: sa.Table) -> None:
    """Gives each upload that a web process was reading the job that reads it now."""
    connection = op.get_bind()
    unread = connection.execute(sa.select(UPLOADS).where(UPLOADS.c.status == "checking")).all()
    for upload in unread:
        arguments = {"upload_id": upload.id}
        named = json.dumps(["ground-truth", upload.competition_id, arguments], sort_keys=True)
        connection.execute(
            sa.insert(jobs).values(
                id=str(uuid_utils.uuid7()),
                kind="ground-truth",
                competition_id=upload.competition_id,
                key=hashlib.sha256(named.encode()).hexdigest(),
                arguments=arguments,
                state="queued",
                priority=2,
                dispatches=0,
                created_at=upload.created_at,
                created_by=upload.created_by,
                fence=0,
                cancel_requested=False,
                worker_deaths=0,
                own_failures=0,
                progress=0.0,
            )
        )
