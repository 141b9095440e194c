"""The text of the compiled readers: blocks of whole lines, and blank lines at the end."""

from __future__ import annotations

import io
import random

import pytest

from podium.scoring.kernel.text import Block, NotPlain, Pieces, WholeLines

BLOCK = 8


def lines_of(text: bytes, piece: int = 3, block_bytes: int = BLOCK) -> bytes | None:
    """All lines, put together again; None where the text is not plain."""
    pieces = iter([text[at : at + piece] for at in range(0, len(text), piece)])
    lines, block, found = WholeLines(Pieces(pieces)), Block(block_bytes), b""
    try:
        while size := lines.fill(block):
            assert block.bytes[size - 1 : size] == b"\n"
            assert not any(block.bytes[size : size + 64])
            found += block.bytes[:size]
    except NotPlain:
        return None
    return found


@pytest.mark.parametrize("seed", range(4))
def test_blocks_are_all_lines_but_for_blank_ones_at_the_end(seed: int) -> None:
    dice = random.Random(seed)
    plain = 0
    for _ in range(20_000):
        words = [b"a", b"bc", b"\n", b"\n", b"\r\n", *([b"\r"] if dice.random() < 0.2 else [])]
        text = b"".join(dice.choices(words, k=dice.randint(0, 20)))
        text += b"".join(dice.choices([b"\n", b"\r\n"], k=dice.randint(0, 30)))
        body = text.rstrip(b"\r\n")
        tail = text[len(body) :].replace(b"\r\n", b"\n")
        found = lines_of(text, dice.randint(1, 9))
        if found is None:
            # Each of these is a line that the strict reader has to look at, or no end of one.
            lines = body.split(b"\n")
            wrong = any(len(line) >= BLOCK - 1 or line in (b"", b"\r") for line in lines)
            assert wrong or b"\r" in tail, text
            continue
        if b"\r" in tail:
            # It stands in the last row, which no reader takes for plain.
            assert found.endswith(b"\r\r\n"), text
            continue
        plain += 1
        expected = body + b"\n" if body else b""
        assert found.replace(b"\r\n", b"\n") == expected.replace(b"\r\n", b"\n"), text
    assert plain > 8000


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_far_more_blank_lines_than_a_block_are_skipped(end: bytes) -> None:
    text = b"a,b\n" * 3 + end * 3_000_000
    assert lines_of(text, 1 << 16, 1 << 20) == b"a,b\n" * 3
    for damaged in (text + b"a", text + b"\r", text + b" ", text + b"\r\r\n", text + b"a,b\n"):
        assert lines_of(damaged, 1 << 16, 1 << 20) is None


def test_a_source_that_breaks_in_blank_lines_is_heard_after_the_lines_before() -> None:
    class Broken(io.RawIOBase):
        size = 0

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            self.size += len(buffer)
            if self.size > 100:
                raise OSError("broken")
            buffer[:] = (b"row\n" + b"\n" * len(buffer))[: len(buffer)]
            return len(buffer)

    lines, block = WholeLines(Broken()), Block(16)
    assert lines.fill(block) == 4
    with pytest.raises(OSError, match="broken"):
        lines.fill(block)
    assert lines.fill(block) == 0
