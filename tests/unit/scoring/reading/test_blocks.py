"""Regrouping pieces of text into blocks of whole lines, wherever the pieces were cut."""

import random

import pytest

from app.scoring.reading.blocks import KEPT_BYTES, whole_lines


@pytest.mark.parametrize("seed", range(30))
def test_pieces_of_any_size_become_blocks_of_whole_lines_with_nothing_lost(seed: int) -> None:
    rng = random.Random(seed)
    lines = [b"x" * rng.choice((0, 1, 30, 200, 4096)) + b"\n" for _ in range(1500)]
    text = b"".join(lines) + b"no line end"
    pieces, start = [], 0
    while start < len(text):
        length = rng.choice((1, 3, 200, 5000, 200_000, 1_000_000))
        pieces.append(text[start : start + length])
        start += length
    for block_bytes in (1, 1000, 100_000, 10_000_000):
        found = list(whole_lines(iter(pieces), block_bytes))
        assert b"".join(found) == text
        assert all(block.endswith(b"\n") for block in found[:-1])
        assert all(len(block) < block_bytes + 1_000_000 + 4096 for block in found)


@pytest.mark.parametrize("piece_bytes", [100, 4096, KEPT_BYTES, 1_000_000])
def test_an_endless_line_between_others_is_held_in_part_only(piece_bytes: int) -> None:
    text = b"first\n" + b"x" * 20_000_000 + b"\nlast\n"
    pieces = (text[n : n + piece_bytes] for n in range(0, len(text), piece_bytes))
    first, endless, last, end = b"".join(whole_lines(pieces, 1 << 20)).split(b"\n")
    assert (first, last, end) == (b"first", b"last", b"")
    assert set(endless) == {ord("x")}
    assert KEPT_BYTES <= len(endless) <= KEPT_BYTES + 3 * piece_bytes


@pytest.mark.parametrize("piece_bytes", [1000, 140_000, 400_000])
def test_a_first_line_of_128_kib_is_read_and_a_longer_one_is_given_up(piece_bytes: int) -> None:
    def regrouped(text: bytes) -> bytes:
        pieces = (text[n : n + piece_bytes] for n in range(0, len(text), piece_bytes))
        return b"".join(whole_lines(pieces, 10))

    longest = b"x" * KEPT_BYTES
    assert regrouped(longest + b"\nsecond\n") == longest + b"\nsecond\n"
    assert regrouped(longest + b"x\nsecond\n") == longest
