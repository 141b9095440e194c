"""Text that is unpacked ahead of what reads it."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from podium.scoring.containers import ahead
from podium.scoring.containers.ahead import MadeAhead
from podium.scoring.containers.detection import unpacked_ahead
from podium.scoring.engine import judge
from podium.scoring.kernel.text import Pieces
from podium.scoring.problems import FileRejected
from podium.scoring.scores.result import ScoreResult
from podium.scoring.task import OTTO
from tests.builders.scoring.competitions import Labels, submission, truth_of
from tests.builders.zstd import zstd

SECONDS = 20


class Made:
    """Pieces of ten bytes without end, and how many were made."""

    def __init__(self) -> None:
        self.count, self.are_eight = 0, threading.Event()
        self.are_five = threading.Event()

    def pieces(self) -> Iterator[bytes]:
        while True:
            self.count += 1
            if self.count == 5:
                self.are_five.set()
            if self.count == 8:
                self.are_eight.set()
            yield b"0123456789"


def test_pieces_are_made_before_they_are_asked_for_and_no_more_than_may_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ahead, "MAX_BYTES", 31)
    made = Made()
    pieces = MadeAhead(made.pieces())
    # Four wait, and the fifth is made and held.
    assert made.are_five.wait(SECONDS)
    assert [next(pieces) for _ in range(3)] == [b"0123456789"] * 3
    assert made.are_eight.wait(SECONDS)
    # It ends although there is no room for the eighth.
    pieces.close()
    assert made.count <= 9


def test_the_end_and_an_error_come_in_their_turn_and_again() -> None:
    def failing() -> Iterator[bytes]:
        yield b"a"
        raise KeyError("b")

    pieces = MadeAhead(failing())
    assert next(pieces) == b"a"
    for _ in range(2):
        with pytest.raises(KeyError):
            next(pieces)
    assert list(MadeAhead(iter([b"a", b"b"]))) == [b"a", b"b"]


def test_closing_the_file_ends_the_thread() -> None:
    made = Made()
    pieces = MadeAhead(made.pieces())
    with Pieces(pieces) as file:
        assert file.read(5) == b"01234"
    count = made.count
    assert not pieces._thread.is_alive()
    assert made.count == count


PACKED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "zstd": zstd.compress}
LABELS: Labels = {1: {"clicks": 10, "carts": [20], "orders": [1, 4]}}
ROWS = {"1_clicks": [10], "1_carts": [21], "1_orders": [4, 9]}


def verdict(file: Path, *, begins: bool) -> ScoreResult:
    """The verdict on a compressed file, whose text is had already where it `begins` ahead."""
    truth, published = truth_of(file.parent, LABELS)
    with unpacked_ahead(file, OTTO) as unpacked:
        assert unpacked is not None
        return judge(
            file,
            task=OTTO,
            published=published,
            truth=truth,
            scratch=file.parent,
            unpacked=unpacked if begins else None,
        )


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_file_is_judged_as_without_whether_or_not_its_text_is_plain(
    tmp_path: Path, kind: str, is_turned: bool
) -> None:
    file, rows = tmp_path / "packed", submission(ROWS).splitlines()
    if is_turned:
        # The strict reader takes columns in any order, and reads the file a second time.
        rows = [",".join(reversed(row.split(","))) for row in rows]
    file.write_bytes(PACKED[kind]("\n".join(rows).encode()))
    scored = [verdict(file, begins=begins) for begins in (True, False)]
    assert scored[0] == scored[1]
    assert scored[0].splits["all"].hits == {"clicks": 1, "carts": 0, "orders": 1}


@pytest.mark.parametrize("kind", PACKED)
def test_what_is_wrong_with_it_is_told_as_without(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "packed"
    whole = PACKED[kind](submission(ROWS).replace("21", "2x").encode())
    for content in (whole, whole[:-1]):
        file.write_bytes(content)
        told = []
        for begins in (True, False):
            with pytest.raises(FileRejected) as refusal:
                verdict(file, begins=begins)
            told.append(refusal.value.rejection)
        assert told[0] == told[1]
    assert told[0].problems[0].code.startswith("archive-")


def test_plain_text_is_read_where_it_lies(tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    file.write_text(submission(ROWS))
    with unpacked_ahead(file, OTTO) as unpacked:
        assert unpacked is None
