"""Former organizers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112203"
down_revision = "2026112202"
branch_labels = None
depends_on = None

THOSE_SO_FAR = """
    INSERT INTO former_organizers (competition_id, user_id, removed_at)
    SELECT entry.competition_id, entry.object_id, MAX(entry.at)
    FROM audit_entries AS entry
    JOIN competitions ON competitions.id = entry.competition_id
    JOIN users ON users.id = entry.object_id
    WHERE entry.action = 'organizer.remove'
    GROUP BY entry.competition_id, entry.object_id
"""
"""The audit log is the only place that tells of whoever was removed before there was this table."""


def upgrade() -> None:
    """Goes one step forward."""
    op.create_table(
        "former_organizers",
        sa.Column("competition_id", sa.String(length=36), nullable=False),
        sa.Column("user_id", sa.String(length=36), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"],
            ["competitions.id"],
            name=op.f("fk_former_organizers_competition_id_competitions"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_former_organizers_user_id_users")
        ),
        sa.PrimaryKeyConstraint("competition_id", "user_id", name=op.f("pk_former_organizers")),
    )
    with op.batch_alter_table("former_organizers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_former_organizers_user_id"), ["user_id"], unique=False)
    op.execute(sa.text(THOSE_SO_FAR))


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("former_organizers", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_former_organizers_user_id"))
    op.drop_table("former_organizers")
