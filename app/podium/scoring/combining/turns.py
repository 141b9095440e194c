"""Processes several pieces of work in parallel, with the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

THREADS = 2
"""Pieces that are processed while the caller uses the last result. More would cost memory."""

S = TypeVar("S")
T = TypeVar("T")


def in_turn(work: Callable[[S], T], pieces: Iterable[S]) -> Iterator[T]:
    """Maps `work` over the pieces with threads and yields the results in order; pieces are drawn as
    needed."""
    with ThreadPoolExecutor(THREADS) as pool:
        waiting: deque[Future[T]] = deque()
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > THREADS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
