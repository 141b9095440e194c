"""The words of a hostile child, as its parent takes them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator

import pytest

from podium.sandbox import FailureReason, Limits, Result
from podium.sandbox.messages import Messages, Watch, result_of

LIMITS = Limits(memory_bytes=1 << 30, wall_seconds=9, file_bytes=9)

Say = Callable[..., Messages]


@pytest.fixture
def say() -> Iterator[Say]:
    """Says these lines as a child, complains, and ends; answers what its parent heard."""
    opened = []

    def heard(*lines: object, complaint: bytes = b"") -> Messages:
        pipes = [os.pipe(), os.pipe()]
        for (_, writing), words in zip(pipes, (_lines(lines), complaint), strict=True):
            os.write(writing, words)
            os.close(writing)
        readers = [os.fdopen(reading, "rb") for reading, _ in pipes]
        opened.extend(readers)
        return Messages(*readers, most_bytes=1 << 20)

    yield heard
    for each in opened:
        each.close()


def _lines(lines: tuple[object, ...]) -> bytes:
    return b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )


def ended(messages: Messages, status: int = 0) -> Result[dict[str, object]]:
    messages.drain()
    return result_of(Watch(status, None, 0, LIMITS), messages)


def test_a_flood_of_progress_is_told_a_hundred_times_at_most(say: Say) -> None:
    messages = say(*({"progress": number / 2000} for number in range(2000)))
    heard = [messages.wait(0) for _ in range(1000)]
    told = [progress for progress in heard if progress is not None]
    assert 1 <= len(told) <= 100
    assert told == sorted(told)


def test_progress_that_does_not_rise_is_not_told(say: Say) -> None:
    for line in (b'{"progress": NaN}', b'{"progress": -1}', b'{"progress": 0.001}', b'{"progress"'):
        assert say(line).wait(0) is None
    messages = say({"progress": 7})
    assert [messages.wait(0), messages.wait(0)] == [1.0, None]


def test_a_second_answer_takes_away_the_first(say: Say) -> None:
    document = {"document": {"status": "scored"}}
    assert ended(say(document)).answer == {"status": "scored"}
    assert ended(say(document, document)).failure is FailureReason.CRASH


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999", b"1" + b"0" * 400])
def test_numbers_that_no_database_keeps_are_no_answer(say: Say, number: bytes) -> None:
    line = b'{"document": {"status": "scored", "facts": [{"score": ' + number + b"}]}}"
    assert ended(say({"ready": {}}, line)).failure is FailureReason.NO_ANSWER


def test_characters_that_no_database_keeps_are_replaced(say: Say) -> None:
    line = b'{"document": {"status": "scored", "a\\u0000": ["\\ud800b", "\\u00e9"]}}'
    answer = ended(say(line)).answer
    assert answer == {"status": "scored", "a\ufffd": ["?b", "\u00e9"]}
    report = ended(say({"ready": {}}, complaint=b"a\0b"), status=1).report
    assert report.endswith("a\ufffdb")


def test_a_report_is_cut(say: Say) -> None:
    told = ended(say({"failure": "our-error", "report": "x" * 9999 + "\0"}))
    assert (told.failure, len(told.report), told.report[-1]) == ("our-error", 4000, "\ufffd")


def test_a_value_that_is_nested_without_end_is_no_message(say: Say) -> None:
    deep = b'{"document": {"status": "scored", "x": ' + b"[" * 20_000 + b"]" * 20_000 + b"}}"
    assert ended(say({"ready": {}}, deep)).failure is FailureReason.NO_ANSWER
