"""Work in threads that ends as it would with a single one."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from podium.scoring.turns import in_turn


def test_results_come_in_the_order_of_their_pieces() -> None:
    second_is_done = Event()

    def work(number: int) -> int:
        if number == 0:
            assert second_is_done.wait(timeout=60)
        if number == 1:
            second_is_done.set()
        return 10 * number

    assert list(in_turn(work, range(6), threads=2)) == [0, 10, 20, 30, 40, 50]


def test_work_that_failed_is_told_before_a_later_piece_that_could_not_be_made() -> None:
    def pieces() -> Iterator[int]:
        yield 1
        yield 0
        raise EOFError

    found = in_turn(lambda number: 1 // number, pieces(), threads=2)
    assert next(found) == 1
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_what_lies_before_a_piece_that_could_not_be_made_is_handed_on() -> None:
    def pieces() -> Iterator[int]:
        yield 1
        yield 2
        raise EOFError

    found = in_turn(lambda number: -number, pieces(), threads=2)
    assert [next(found), next(found)] == [-1, -2]
    with pytest.raises(EOFError):
        next(found)


def test_few_pieces_are_made_before_they_are_asked_for() -> None:
    made = []

    def pieces() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    next(in_turn(lambda number: number, pieces(), threads=2))
    assert len(made) == 3
