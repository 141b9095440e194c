"""Private competitions keep their doors closed.

Until now nobody could enter a private competition with open registration but by an invitation. Now
an account that knows the address can, so those that are private already let people in by invitation
only, as before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112801"
down_revision = "2026112702"
branch_labels = None
depends_on = None

COMPETITIONS = sa.table(
    "competitions", sa.column("id"), sa.column("visibility"), sa.column("settings", sa.JSON())
)


def upgrade() -> None:
    """Goes one step forward."""
    connection = op.get_bind()
    private = sa.select(COMPETITIONS.c.id, COMPETITIONS.c.settings).where(
        COMPETITIONS.c.visibility == "private"
    )
    for competition_id, settings in connection.execute(private).all():
        if isinstance(settings, dict) and settings.get("registration", "open") == "open":
            connection.execute(
                sa.update(COMPETITIONS)
                .where(COMPETITIONS.c.id == competition_id)
                .values(settings={**settings, "registration": "invite"})
            )


def downgrade() -> None:
    """Goes one step back. By invitation is what open registration meant for them."""
