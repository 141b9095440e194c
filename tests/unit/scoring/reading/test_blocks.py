"""Regrouping pieces of text into blocks of whole lines, wherever the pieces were cut."""

import gzip
import random
from pathlib import Path

import pytest

from podium.scoring.containers.detection import open_blocks
from podium.scoring.task import OTTO
from podium.scoring.text.blocks import KEPT_BYTES, whole_lines
from tests.builders.scoring.submissions import GOOD, ROWS, streamed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "submission"


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


@pytest.mark.parametrize("block_bytes", [1, 7, 30, 64, 100, 1 << 20])
def test_blocks_end_at_line_ends_and_together_are_the_text(file: Path, block_bytes: int) -> None:
    text = GOOD + b"".join(ROWS) * 50 + b"no line end"
    for content in (text, gzip.compress(text), streamed(text)):
        file.write_bytes(content)
        found = list(open_blocks(file, OTTO, block_bytes=block_bytes))
        assert b"".join(found) == text
        assert all(block.endswith(b"\n") for block in found[:-1])
        assert all(found)


@pytest.mark.parametrize("block_bytes", [1 << 16, 1 << 18, 1 << 20, 1 << 23])
def test_an_endless_line_is_shortened_and_stays_too_long_under_its_number(
    file: Path, block_bytes: int
) -> None:
    text = GOOD + b"1_clicks," + b"7 " * 2_000_000 + b"\n" + b"1_carts,8\n"
    for content in (text, streamed(text)):
        file.write_bytes(content)
        lines = b"".join(open_blocks(file, OTTO, block_bytes=block_bytes)).split(b"\n")
        assert lines[:10] == GOOD.removesuffix(b"\n").split(b"\n")
        assert text.split(b"\n")[10].startswith(lines[10][:KEPT_BYTES])
        assert KEPT_BYTES <= len(lines[10]) <= 4_000_009
        assert lines[11:] == [b"1_carts,8", b""]


def test_a_first_line_without_end_is_given_up_after_its_beginning(file: Path) -> None:
    file.write_bytes(b"x" * 5_000_000 + b"\n" + GOOD)
    assert list(open_blocks(file, OTTO)) == [b"x" * KEPT_BYTES]
    file.write_bytes(gzip.compress(b"x" * 5_000_000 + b"\n" + GOOD))
    assert list(open_blocks(file, OTTO)) == [b"x" * KEPT_BYTES]
