"""Work that several threads do."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from podium.scoring.combining.turns import THREADS, in_turn


def test_results_come_in_the_order_of_the_pieces() -> None:
    second_done = Event()

    def work(piece: int) -> int:
        if piece == 0:
            assert second_done.wait(60)
        if piece == 1:
            second_done.set()
        return 10 * piece

    assert list(in_turn(work, range(5))) == [0, 10, 20, 30, 40]


def test_pieces_are_taken_as_they_are_needed() -> None:
    taken = []

    def pieces() -> Iterator[int]:
        for piece in range(100):
            taken.append(piece)
            yield piece

    results = in_turn(str, pieces())
    assert next(results) == "0"
    assert len(taken) == THREADS + 1
    results.close()  # type: ignore[attr-defined]


def test_what_goes_wrong_is_told_in_its_turn() -> None:
    results = in_turn(lambda piece: 6 // piece, [3, 2, 0, 1])
    assert (next(results), next(results)) == (2, 3)
    with pytest.raises(ZeroDivisionError):
        next(results)
