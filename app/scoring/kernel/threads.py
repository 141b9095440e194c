"""The parts of one reading, each on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import FileRejected


def on_threads(parts: Sequence[Callable[[], None]], *, stop: Callable[[], None]) -> None:
    """Does all parts at the same time. Raises NotPlain before any `FileRejected`; where a part has
    raised one of them, `stop` lets the others end."""
    errors: list[Exception] = []

    def attempt(part: Callable[[], None]) -> None:
        try:
            part()
        except (NotPlain, FileRejected) as error:
            errors.append(error)
            stop()

    with ThreadPoolExecutor(len(parts)) as pool:
        # This thread is one of them, so that a single one needs no pool.
        others = [pool.submit(attempt, part) for part in parts[1:]]
        attempt(parts[0])
        for other in others:
            other.result()
    for error in sorted(errors, key=lambda error: not isinstance(error, NotPlain)):
        raise error
