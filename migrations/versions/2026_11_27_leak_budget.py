"""How many bits of the public split each verdict has told its team.

Verdicts of competitions that are not revealed get what they have told by the settings as they are
now, as if every score lay between 0 and 1: what numbers above 1, and earlier settings, told beyond
that is not known. Where everything is revealed nothing is counted.
"""

from __future__ import annotations

import json
import math
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2026112702"
down_revision = "2026112701"
branch_labels = None
depends_on = None

DECIMALS = 5

COMPETITIONS = sa.table(
    "competitions",
    sa.column("id"),
    sa.column("settings", sa.Text()),
    sa.column("frozen_at"),
    sa.column("revealed_at"),
)
SUBMISSIONS = sa.table(
    "submissions",
    *(sa.column(name) for name in ("judging_id", "competition_id", "submitted_at")),
    *(sa.column(name) for name in ("is_held_back", "identical_to")),
)
JUDGINGS = sa.table(
    "judgings",
    *(sa.column(name) for name in ("id", "state", "told_bits", "told_detail_bits")),
)


def upgrade() -> None:
    """Goes one step forward."""
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        batch_op.add_column(sa.Column("told_bits", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("told_detail_bits", sa.Double(), nullable=True))
    connection = op.get_bind()
    settings = sa.cast(COMPETITIONS.c.settings, sa.Text())
    open_ones = sa.select(COMPETITIONS.c.id, settings).where(COMPETITIONS.c.revealed_at.is_(None))
    for competition_id, text in connection.execute(open_ones).all():
        for values, is_held_back in _told(json.loads(text)):
            connection.execute(
                sa.update(JUDGINGS)
                .where(JUDGINGS.c.state == "scored")
                .where(JUDGINGS.c.id.in_(_seen(competition_id, is_held_back=is_held_back)))
                .values(values)
            )


def downgrade() -> None:
    """Goes one step back. What was told is forgotten."""
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        for name in ("told_detail_bits", "told_bits"):
            batch_op.drop_column(name)


def _told(settings: object) -> list[tuple[dict[str, float], bool]]:
    """What a score tells that is shown, and one that a ladder holds back."""
    given = settings if isinstance(settings, dict) else {}
    is_ladder = given.get("board") == "ladder"
    number = math.log2(10 ** given.get("decimals", DECIMALS) + 1)
    shown = {"told_bits": number + is_ladder, "told_detail_bits": 0.0}
    if given.get("objective_scores") == "always":
        objectives = len(given.get("objectives", "abc"))
        numbers = (objectives if objectives > 1 else 0) + len(given.get("diagnostics", ()))
        shown["told_detail_bits"] = number * numbers
    return [(shown, False), ({"told_bits": 1.0, "told_detail_bits": 0.0}, True)]


def _seen(competition_id: str, *, is_held_back: bool) -> sa.Select[Any]:
    """The effective judgings whose outcome a team has seen, one of each file."""
    return (
        sa.select(SUBMISSIONS.c.judging_id)
        .join(COMPETITIONS, COMPETITIONS.c.id == SUBMISSIONS.c.competition_id)
        .where(
            SUBMISSIONS.c.competition_id == competition_id,
            SUBMISSIONS.c.judging_id.is_not(None),
            SUBMISSIONS.c.identical_to.is_(None),
            SUBMISSIONS.c.is_held_back.is_(sa.true() if is_held_back else sa.false()),
            sa.or_(
                COMPETITIONS.c.frozen_at.is_(None),
                SUBMISSIONS.c.submitted_at < COMPETITIONS.c.frozen_at,
            ),
        )
    )
