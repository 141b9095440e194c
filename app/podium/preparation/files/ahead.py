"""Pieces that are worked on in threads beside each other, and handed on in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def worked_ahead(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], *, threads: int
) -> Iterator[Result]:
    """The results of `work` on each piece. Of what fails, working or making the pieces, the first
    in their order is raised, as if there were a single thread; one piece more than there are
    threads is in memory at most."""
    waiting: deque[Future[Result]] = deque()
    source = iter(pieces)
    with ThreadPoolExecutor(threads) as pool:
        while True:
            try:
                piece = next(source)
            except StopIteration:
                break
            except Exception:
                # Pieces before the one that could not be made come first.
                while waiting:
                    yield waiting.popleft().result()
                raise
            waiting.append(pool.submit(work, piece))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
