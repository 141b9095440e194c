"""Entries of the audit log are found: those of one who deletes the account, and of an act."""

from __future__ import annotations

from alembic import op

revision = "2026112602"
down_revision = "2026112601"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        for column in ("actor_id", "object_id", "action"):
            batch_op.create_index(batch_op.f(f"ix_audit_entries_{column}"), [column])


def downgrade() -> None:
    """Goes one step back."""
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        for column in ("action", "object_id", "actor_id"):
            batch_op.drop_index(batch_op.f(f"ix_audit_entries_{column}"))
