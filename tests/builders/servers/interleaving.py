"""Two requests that meet on two replicas, at every place of the first where they can meet.

Chance finds two unlocked reads that must be of one moment in one round of many. Here the first
request is held up after its n-th statement until the second has ended or waits for a lock, for
every n: whatever one switch between the two can break is found each time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, text

from podium.settings import Settings
from tests.builders.installation import Installation, Person, client_of
from tests.builders.sandbox.in_process import build_in_process
from tests.builders.servers.newcomers import Newcomers
from tests.builders.uploads.server import Server, running

PATIENCE_SECONDS = 60.0
"""More than any request takes alone, on a machine that is busy."""

LOOK_SECONDS = 0.01
"""Between two looks at whether the second request waits for a lock; most end before the first."""

MAX_STATEMENTS = 1000

Act = Callable[[], Any]

WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


class _Pause:
    """The place at which a request stops until it may go on."""

    def __init__(self, after: int) -> None:
        self._left = after
        self.is_reached = False
        self._rests = threading.Event()
        self._goes_on = threading.Event()

    def pass_by(self) -> None:
        """Counts a statement, and stops after the last that was to pass."""
        self._left -= 1
        if self._left == 0:
            self.is_reached = True
            self._rests.set()
            assert self._goes_on.wait(PATIENCE_SECONDS), "it was not let go on"

    def wait_for(self, request: Future[Any]) -> None:
        """Waits until the request stops here, or ends before it comes so far."""
        request.add_done_callback(lambda _: self._rests.set())
        assert self._rests.wait(PATIENCE_SECONDS), "it neither stopped nor ended"

    def end(self) -> None:
        """Lets it go on."""
        self._goes_on.set()


_pause: ContextVar[_Pause | None] = ContextVar("pause", default=None)
"""The pause of the request that this thread works for: threads of a request inherit it."""


class Replicas:
    """Two processes of an installation as far as the database can tell: nothing in memory is
    shared. The requests of the first can be held up, the second has a port."""

    def __init__(self, first: Installation, second: Server, watching: Engine) -> None:
        self.first = first
        self.second = second
        self.newcomers = Newcomers(first)
        self._watching = watching

    def at_second(self, person: Person) -> Person:
        """The same person, whose requests go to the second replica."""
        there: Any = self.second.client
        return replace(person, client=there)

    def meetings(self, make: Callable[[], tuple[Act, Act]]) -> Iterator[tuple[int, Any, Any]]:
        """The meetings of two fresh acts after one statement of the first after the other, the last
        after all: the number of statements, and the two answers. Each act sends one request, to its
        own replica."""
        for after in range(1, MAX_STATEMENTS):
            pause = _Pause(after)
            yield after, *self._meet(*make(), pause)
            if not pause.is_reached:
                return
        raise AssertionError("the first act does not come to its end")

    def _meet(self, first: Act, second: Act, pause: _Pause) -> tuple[Any, Any]:
        with ThreadPoolExecutor(2) as pool:
            begun = pool.submit(_paused, first, pause)
            try:
                pause.wait_for(begun)
                met = pool.submit(second)
                self._until_it_ended_or_waits(met)
            finally:
                pause.end()
            return begun.result(PATIENCE_SECONDS), met.result(PATIENCE_SECONDS)

    def _until_it_ended_or_waits(self, met: Future[Any]) -> None:
        with self._watching.connect() as connection:
            for _ in range(int(PATIENCE_SECONDS / LOOK_SECONDS)):
                if wait([met], LOOK_SECONDS).done or connection.scalar(WAITING):
                    return
        raise AssertionError("it neither ended nor waits for a lock")


def _paused(act: Act, pause: _Pause) -> Any:
    token = _pause.set(pause)
    try:
        return act()
    finally:
        # The thread may work for the other request next.
        _pause.reset(token)


UNSEEN = ("SAVEPOINT", "RELEASE SAVEPOINT")
"""Statements that change nothing for others: what meets after them would meet as before them."""


def _count(_: Any, __: Any, statement: str, *___: Any) -> None:
    pause = _pause.get()
    if pause is not None and not statement.startswith(UNSEEN):
        pause.pass_by()


@contextmanager
def replicas_on(postgres_url: str, data_dir: Path) -> Iterator[Replicas]:
    """Two replicas of an installation on one database; the first one does its jobs."""
    settings = Settings(data_dir=data_dir, database_url=postgres_url, min_free_bytes=0)
    watching = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    try:
        with ExitStack() as stack:
            first, second = (
                stack.enter_context(closing(build_in_process(settings))) for _ in range(2)
            )
            event.listen(first.database.write_engine, "after_cursor_execute", _count)
            client = stack.enter_context(client_of(first, raise_server_exceptions=False))
            server = stack.enter_context(running(second))
            yield Replicas(Installation(client, first), server, watching)
    finally:
        watching.dispose()
