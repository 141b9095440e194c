"""Several pieces of work at a time, their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

THREADS = 2
"""Pieces that are worked on while whoever asked for them does something with the last one. More
would cost memory."""

S = TypeVar("S")
T = TypeVar("T")


def in_turn(work: Callable[[S], T], pieces: Iterable[S]) -> Iterator[T]:
    """What `work` makes of each piece, in the order of the pieces, which are taken as needed."""
    with ThreadPoolExecutor(THREADS) as pool:
        waiting: deque[Future[T]] = deque()
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) > THREADS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
