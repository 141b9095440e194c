"""What workers do for a judging are runs, rows of their own.

A judging held the lease of the worker that was at it, and once it had a verdict that of the worker
which ran an organizer's metric on the private split. Engine jobs that wait go on: the run of a
verdict has the id of its judging. Private runs that are due are found by the reconciler.
"""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_OID, uuid5

import sqlalchemy as sa
from alembic import op

revision = "2026112901"
down_revision = "2026112801"
branch_labels = None
depends_on = None

JSON = sa.JSON(none_as_null=True)

COUNTS = ("fence", "child_deaths", "worker_deaths", "own_failures")
LEASE: dict[str, sa.types.TypeEngine[Any]] = {
    "priority": sa.BigInteger(),
    "started_at": sa.DateTime(timezone=True),
    "worker_id": sa.Text(),
    "lease_until": sa.DateTime(timezone=True),
    "cancel_requested": sa.Boolean(),
    "progress": sa.Double(),
    "request_id": sa.Text(),
    "traceparent": sa.String(length=64),
    **dict.fromkeys(COUNTS, sa.BigInteger()),
}
"""Columns that judgings had, and runs have."""

REQUIRED = {"priority": "1", "cancel_requested": "0", "progress": "0", **dict.fromkeys(COUNTS, "0")}
"""Those that are never empty, with what a new judging had in them."""

JUDGINGS = sa.table(
    "judgings",
    *(sa.column(name, kind) for name, kind in LEASE.items()),
    *map(sa.column, ("id", "rejudging_id", "state", "offers", "private_run")),
    sa.column("created_at", sa.DateTime(timezone=True)),
    sa.column("judged_at", sa.DateTime(timezone=True)),
    sa.column("metric_notes", JSON),
)
RUNS = sa.table(
    "runs",
    *(sa.column(name, kind) for name, kind in LEASE.items()),
    *map(sa.column, ("id", "judging_id", "state", "dispatches")),
    sa.column("is_private", sa.Boolean()),
    sa.column("created_at", sa.DateTime(timezone=True)),
    sa.column("ended_at", sa.DateTime(timezone=True)),
    sa.column("note", JSON),
)

STATES = {
    "queued": "queued",
    "judging": "running",
    "scored": "done",
    "rejected": "refused",
    "failed": "failed",
    "cancelled": "cancelled",
}
PRIVATE_STATES = {None: "done", "pending": "queued", "failed": "failed"}


def upgrade() -> None:
    """Goes one step forward."""
    _create()
    _fill()
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        batch_op.drop_index("ix_judgings_unfinished")
        batch_op.drop_index("ix_judgings_rejudging_state")
        for name in (*LEASE, "offers", "private_run", "metric_notes"):
            batch_op.drop_column(name)
        batch_op.create_index("ix_judgings_state", ["state"])
        batch_op.create_index("ix_judgings_rejudging_state", ["rejudging_id", "state"])


def downgrade() -> None:
    """Goes one step back. Of a judging and its private run, the lease of what is due is kept."""
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        batch_op.drop_index("ix_judgings_state")
        batch_op.drop_index("ix_judgings_rejudging_state")
        for name, kind in LEASE.items():
            batch_op.add_column(_former(name, kind))
        batch_op.add_column(_former("offers", sa.BigInteger()))
        batch_op.add_column(sa.Column("private_run", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("metric_notes", JSON, nullable=True))
    _give_back()
    with op.batch_alter_table("judgings", schema=None) as batch_op:
        for name in (*REQUIRED, "offers"):
            batch_op.alter_column(name, server_default=None)
        batch_op.create_index("ix_judgings_unfinished", ["state", "lease_until"])
        batch_op.create_index("ix_judgings_rejudging_state", ["rejudging_id", "state", "offers"])
    op.drop_table("runs")


def _create() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("judging_id", sa.String(length=36), nullable=False),
        sa.Column("is_private", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("dispatches", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("note", JSON, nullable=True),
        *(sa.Column(name, kind, nullable=name not in REQUIRED) for name, kind in LEASE.items()),
        sa.ForeignKeyConstraint(
            ["judging_id"], ["judgings.id"], name=op.f("fk_runs_judging_id_judgings")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index("ix_runs_unfinished", ["state", "lease_until"])
        batch_op.create_index("uq_runs_judging", ["judging_id", "is_private"], unique=True)


def _fill() -> None:
    """Every judging that was begun gets its run; an organizer's metric has a private one too."""
    judging, connection = JUDGINGS.c, op.get_bind()
    is_untouched = sa.and_(
        judging.rejudging_id.is_not(None),
        judging.offers == 0,
        judging.state.in_(("queued", "cancelled")),
    )
    given = {
        "id": judging.id,
        "judging_id": judging.id,
        "is_private": sa.false(),
        "state": sa.case(STATES, value=judging.state, else_=judging.state),
        "dispatches": judging.offers,
        "created_at": judging.created_at,
        "ended_at": judging.judged_at,
        **{name: judging[name] for name in LEASE},
    }
    begun = sa.select(*(each.label(name) for name, each in given.items()))
    connection.execute(sa.insert(RUNS).from_select(list(given), begun.where(sa.not_(is_untouched))))
    by_metrics = sa.select(JUDGINGS).where(
        sa.or_(judging.metric_notes.is_not(None), judging.private_run.is_not(None))
    )
    for row in connection.execute(by_metrics).mappings().all():
        _divide(connection, row)


def _divide(connection: sa.Connection, row: sa.RowMapping) -> None:
    """Gives the run of a verdict by an organizer's metric its note, and a private run beside it."""
    notes = row["metric_notes"] or {}
    state = PRIVATE_STATES.get(row["private_run"], row["private_run"])
    of_verdict = {"note": notes.get("public")}
    if state == "queued":
        # The lease was that of the private run.
        of_verdict |= {"worker_id": None, "lease_until": None}
    connection.execute(sa.update(RUNS).where(RUNS.c.id == row["id"]).values(of_verdict))
    if state == "done" and "private" not in notes:
        return
    connection.execute(
        sa.insert(RUNS).values(
            id=str(uuid5(NAMESPACE_OID, f"{row['id']} private")),
            judging_id=row["id"],
            is_private=True,
            state=state,
            dispatches=0,
            created_at=row["created_at"],
            ended_at=None if state == "queued" else row["judged_at"],
            note=notes.get("private"),
            **{name: row[name] for name in ("priority", "started_at", "request_id", "traceparent")},
            **dict.fromkeys((*COUNTS, "progress"), 0),
            cancel_requested=False,
        )
    )


def _former(name: str, kind: sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    if isinstance(kind, sa.Boolean):
        return sa.Column(name, kind, nullable=False, server_default=sa.false())
    default = (REQUIRED | {"offers": "0"}).get(name)
    return sa.Column(name, kind, nullable=default is None, server_default=default)


def _give_back() -> None:
    connection = op.get_bind()
    runs = sa.select(RUNS).order_by(RUNS.c.judging_id, RUNS.c.is_private)
    notes: dict[str, Any] = {}
    for run in connection.execute(runs).mappings():
        is_private = run["is_private"]
        if not is_private:
            notes = {} if run["note"] is None else {"public": run["note"]}
            notes |= {"processor": notes["public"].get("processor")} if notes else {}
        elif run["note"] is not None:
            notes |= {"private": run["note"]}
        is_due = is_private and run["state"] in ("queued", "running")
        values: dict[str, Any] = {"metric_notes": notes or None}
        if not is_private or is_due:
            values |= {name: run[name] for name in LEASE} | {"offers": run["dispatches"]}
        if is_due:
            # What is due was found by its lease.
            values["lease_until"] = run["lease_until"] or run["created_at"]
        if is_private and run["state"] != "done":
            values["private_run"] = "pending" if is_due else "failed"
        which = JUDGINGS.c.id == run["judging_id"]
        connection.execute(sa.update(JUDGINGS).where(which).values(values))
