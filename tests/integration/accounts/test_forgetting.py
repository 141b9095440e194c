"""Entries of the audit log are found by indexes when a person is taken out of it."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from podium.core import audit
from podium.core.database.engine import Database
from podium.core.models import AuditEntry
from tests.builders.rows import add_user


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The plans of SQLite do not depend on how many rows there are."""
    return sqlite_url


def test_who_is_taken_out_of_the_audit_log_is_not_looked_for_in_all_of_it(
    database: Database,
) -> None:
    with database.write() as session:
        ada = add_user(session)
        audit.record(session, ada, "token.create", label="laptop")
        audit.record(session, None, "sign-up.approve", object_id="r", name="Ada")
    ran: list[tuple[str, Any]] = []
    with database.write() as session:
        sa.event.listen(
            session.connection(),
            "before_cursor_execute",
            # Of a statement for many rows, those of its first row: a plan is asked for once.
            lambda _connection, _cursor, statement, given, _context, is_many: ran.append(
                (statement, given[0] if is_many else given)
            ),
        )
        audit.forget(
            session,
            user_id=ada.user_id,
            request_ids=["r"],
            team_ids=["t"],
            former_key="ada",
            name="gone",
        )
    with database.read() as session:
        entries = session.scalars(sa.select(AuditEntry).order_by(AuditEntry.id)).all()
        facts = [entry.facts for entry in entries if entry.action != "user.create"]
        assert facts == [{"label": ""}, {"name": "gone"}]
        plans = [
            row[3]
            for statement, given in ran
            for row in session.connection().exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", given
            )
        ]
    assert [plan for plan in plans if "INDEX ix_audit_entries_" in plan] != []
    assert [plan for plan in plans if plan.startswith("SCAN")] == []
