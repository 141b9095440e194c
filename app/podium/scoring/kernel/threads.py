"""Runs the parts of one reading in threads, with blocks numbered in the order of the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Lock

from podium.scoring.kernel.text import Block, Lines, NotPlain
from podium.scoring.problems import FileRejected


def on_threads(parts: Sequence[Callable[[], None]], *, stop: Callable[[], None]) -> None:
    """Runs all parts in parallel. Raises NotPlain in preference to `FileRejected`; where a part has
    raised one of them, `stop` makes the others end."""
    errors: list[Exception] = []

    def attempt(part: Callable[[], None]) -> None:
        try:
            part()
        except (NotPlain, FileRejected) as error:
            errors.append(error)
            stop()

    with ThreadPoolExecutor(len(parts)) as pool:
        # This thread runs one of the parts, so that a single one needs no pool.
        others = [pool.submit(attempt, part) for part in parts[1:]]
        attempt(parts[0])
        for other in others:
            other.result()
    for error in sorted(errors, key=lambda error: not isinstance(error, NotPlain)):
        raise error


ReadBlock = Callable[[int, Block, int, int], None]
"""Reads a block, given its number in the text, the block, the offset at which to begin, and its
size."""


class NumberedBlocks:
    """Numbers the blocks of a text, which several threads read."""

    def __init__(self, lines: Lines) -> None:
        self._lines, self._turn, self._filled = lines, Lock(), 0

    def read(
        self, first: Block, start: int, size: int, *, threads: int, reader: Callable[[], ReadBlock]
    ) -> None:
        """Reads the first block, which is already filled, from `start` on, and then all others, in
        blocks of its size. `reader` creates the function with which each thread reads. Raises
        NotPlain in preference to `FileRejected`."""
        works = [partial(self._work, reader, first, start, size)]
        works += [partial(self._work, reader, Block(first.size)) for _ in range(threads - 1)]
        on_threads(works, stop=self._lines.stop)

    def _work(
        self, reader: Callable[[], ReadBlock], block: Block, start: int = 0, size: int = 0
    ) -> None:
        read, number = reader(), 0
        if not size:
            number, size = self._fill(block)
        while size:
            read(number, block, start, size)
            start = 0
            number, size = self._fill(block)

    def _fill(self, block: Block) -> tuple[int, int]:
        with self._turn:
            self._filled += 1
            return self._filled, self._lines.fill(block)
