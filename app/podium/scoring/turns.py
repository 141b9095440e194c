"""Processes pieces in parallel threads and yields the results in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_turn(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], *, threads: int
) -> Iterator[Result]:
    """Yields the results of `work` on each piece, in order. Of all failures, in `work` or in the
    source of the pieces, the first in order is raised, as if there were a single thread; at most
    one piece more than there are threads is in memory."""
    waiting: deque[Future[Result]] = deque()
    source = iter(pieces)
    with ThreadPoolExecutor(threads) as pool:
        while True:
            try:
                piece = next(source)
            except StopIteration:
                break
            except Exception:
                # Pieces before the one that failed to be created come first.
                while waiting:
                    yield waiting.popleft().result()
                raise
            waiting.append(pool.submit(work, piece))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
