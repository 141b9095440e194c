"""What a private run finds stands on the run: a judging is not written to after its verdict.

The stored file of comparisons, to which a private run added its part, was exchanged in the judging.
There it stays for those that have ended, whose file of both splits serves as before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112902"
down_revision = "2026112901"
branch_labels = None
depends_on = None

JUDGINGS = sa.table("judgings", sa.column("id"), sa.column("hits_sha256"))
RUNS = sa.table("runs", sa.column("judging_id"), sa.column("hits_sha256"))


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("hits_sha256", sa.Text(), nullable=True))


def downgrade() -> None:
    """Goes one step back."""
    found = sa.and_(RUNS.c.judging_id == JUDGINGS.c.id, RUNS.c.hits_sha256.is_not(None))
    of_both = sa.select(RUNS.c.hits_sha256).where(found).scalar_subquery()
    has_run = sa.select(RUNS.c.judging_id).where(found).exists()
    op.execute(sa.update(JUDGINGS).where(has_run).values(hits_sha256=of_both))
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_column("hits_sha256")
