"""Takes jobs and runs them in threads of this process, at most as many of each queue at a time as
it has slots."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from podium.core.database.outages import OUTAGES, outage_of
from podium.logs import get_logger
from podium.queue.lookout import Lookout

LOOK_SECONDS = 0.9
"""Seconds until a look without a wake-up: the delay if one is lost."""

_log = get_logger("queue")


@dataclass
class TakenQueue:
    """A queue in this process: `claim(n)` takes at most n jobs and returns their names, `run` runs
    the job of a row."""

    name: str
    claim: Callable[[int], Sequence[str]]
    run: Callable[[str], None]
    slots: int
    running: int = 0

    @property
    def free(self) -> int:
        """The number of free slots."""
        return self.slots - self.running


class Taker:
    """Starts taking jobs when created, and ends with `stop`."""

    def __init__(
        self,
        queues: Sequence[TakenQueue],
        lookout: Lookout,
        forget: Callable[[list[str]], None],
    ) -> None:
        self._queues = queues
        self._lookout = lookout
        self._forget = forget
        self._changed = threading.Condition()
        self._ended: deque[str] = deque()
        self._is_stopping = threading.Event()
        self._slots = ThreadPoolExecutor(
            sum(each.slots for each in queues), thread_name_prefix="slot"
        )
        self._thread = threading.Thread(target=self._go_on, name="taking-jobs", daemon=True)
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """Takes no further jobs, and waits for those under way, for at most so many seconds."""
        until = time.monotonic() + seconds
        self._is_stopping.set()
        self._lookout.wake()
        self._thread.join(seconds)
        with self._changed:
            left = until - time.monotonic()
            self._changed.wait_for(lambda: not any(each.running for each in self._queues), left)
        self._slots.shutdown(wait=False)
        if not self._thread.is_alive():
            self._guarded(self._forget_ended)
            self._lookout.close()

    def _go_on(self) -> None:
        while not self._is_stopping.is_set():
            if self._guarded(self._take) and self._guarded(self._forget_ended):
                self._lookout.wait(LOOK_SECONDS)
            else:
                # Without wake-ups: a database that is unreachable is not asked more often than
                # this.
                self._is_stopping.wait(LOOK_SECONDS)

    def _take(self) -> None:
        free = [queue for queue in self._queues if queue.free]
        waiting = self._lookout.waiting() if free else set()
        for queue in free:
            for job in queue.claim(queue.free) if queue.name in waiting else ():
                with self._changed:
                    queue.running += 1
                self._slots.submit(self._run, queue, job)

    def _run(self, queue: TakenQueue, job: str) -> None:
        try:
            # If it was taken too late, the reconciler dispatches it again.
            if not self._is_stopping.is_set():
                queue.run(job.partition(":")[0])
        except Exception as error:  # noqa: BLE001 - a job that fails must not end the worker
            if (outage := outage_of(error)) is not None:
                _log.warning("job.raised", job=job, detail=outage)
            else:
                _log.exception("job.raised", job=job)
        finally:
            self._ended.append(job)
            with self._changed:
                queue.running -= 1
                self._changed.notify_all()
            self._lookout.wake()

    def _forget_ended(self) -> None:
        # Other threads add to it meanwhile; what cannot be deleted now is left for the next time.
        if ended := list(self._ended):
            self._forget(ended)
            for _ in ended:
                self._ended.popleft()

    def _guarded(self, act: Callable[[], None]) -> bool:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - a database that is away must not end this
            if not OUTAGES.tell(error):
                _log.exception("jobs.not-taken")
            return False
        return True
