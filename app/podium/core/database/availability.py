"""Connections to PostgreSQL that give up on a server that says nothing any more.

A statement has no end of its own where the network swallows what is sent: neither the driver nor
the kernel notices for as long as a quarter of an hour, and each waiting request holds a thread.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.abc import RV, PQGen

ANSWER_SECONDS = 15.0
"""Seconds that one statement may take. Those of the service are far below a second each; migrations
and archives of a database have connections of their own."""

INTERVAL_SECONDS = 0.1
"""Seconds between two looks of the driver for Ctrl-C while it waits, its own default."""


class AnsweringConnection(psycopg.Connection[Any]):
    """Is closed, with an `OperationalError`, as soon as an answer takes too long."""

    def wait(
        self, gen: PQGen[RV], interval: float = INTERVAL_SECONDS, timeout: float | None = None
    ) -> RV:
        """Consumes what the driver does on the connection; see there."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, ANSWER_SECONDS)
        except psycopg.errors._WaitTimeout as error:
            # Whether the statement was carried out is not known, and its answer may still come.
            self.pgconn.finish()
            raise psycopg.OperationalError("the database gave no answer") from error
