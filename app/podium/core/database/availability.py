"""Connections to PostgreSQL that time out on a server that does not answer.

A statement has no timeout of its own where the network drops packets: neither the driver nor the
kernel notices for as long as a quarter of an hour, and each waiting request blocks a thread.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.abc import RV, PQGen

ANSWER_SECONDS = 15.0
"""Seconds that one statement may take. Those of the service take far less than a second each;
migrations and archives of a database have connections of their own."""

INTERVAL_SECONDS = 0.1
"""Seconds between the driver's checks for Ctrl-C while it waits: its own default."""


class AnsweringConnection(psycopg.Connection[Any]):
    """A connection that closes, with an `OperationalError`, as soon as an answer takes too long."""

    def wait(
        self, gen: PQGen[RV], interval: float = INTERVAL_SECONDS, timeout: float | None = None
    ) -> RV:
        """Runs the driver's protocol generator, as the base class does, with a timeout."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, ANSWER_SECONDS)
        except psycopg.errors._WaitTimeout as error:
            # The statement may have been executed, and its answer may still arrive.
            self.pgconn.finish()
            raise psycopg.OperationalError("the database gave no answer") from error
