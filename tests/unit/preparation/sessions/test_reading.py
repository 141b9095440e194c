"""Raw files that cannot be read: what is said, and of which line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from podium.preparation.files import text
from podium.preparation.files.text import blocks
from podium.preparation.sessions import RawFileRefused, prepare
from tests.builders.otto.files import TRAIN, cut_in_the_middle, event, lines, write_raw
from tests.builders.zstd import CHECKED, zstd

GOOD = '{"session": 1, "events": [{"aid": 1, "ts": 5, "type": "clicks"}]}'


def refusal(file: Path, most_bytes: int = text.MAX_BYTES) -> RawFileRefused:
    out = file.parent / "out"
    with pytest.raises(RawFileRefused) as refused:
        prepare([file], out, cuts=cut_in_the_middle, days=None, most_bytes=most_bytes)
    assert not list(out.iterdir())
    return refused.value


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("{", "the line is not JSON: “{”"),
        ("[1]", "the line is not an object with a session of 0 to 2147483647: “[1]”"),
        (
            '{"session": "1", "events": []}',
            "the line is not an object with a session of 0 to 2147483647:"
            ' “{"session": "1", "events": []}”',
        ),
        (
            '{"session": -1, "events": []}',
            "the line is not an object with a session of 0 to 2147483647:"
            ' “{"session": -1, "events": []}”',
        ),
        ('{"session": 2}', 'the session has no list of events: “{"session": 2}”'),
        (
            '{"session": 2, "labels": {"clicks": 3}}',
            'the session has no list of events: “{"session": 2, "labels": {"clicks": 3}}”',
        ),
    ],
)
def test_a_line_that_is_no_session_is_named(line: str, detail: str, tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text(f"{GOOD}\n\n{line}\n")
    refused = refusal(file)
    assert refused.problems[0]["line"] == 3
    assert refused.detail == detail
    assert refused.code == "bad-json"


@pytest.mark.parametrize(
    ("told", "detail"),
    [
        ('{"aid": 1.5, "ts": 5, "type": "clicks"}', "event 2 has no aid of 0 to 2147483647"),
        ('{"aid": -1, "ts": 5, "type": "clicks"}', "event 2 has no aid of 0 to 2147483647"),
        ('{"aid": 3000000000, "ts": 5, "type": "clicks"}', "event 2 has no aid of 0 to 2147483647"),
        ('{"aid": true, "ts": 5, "type": "clicks"}', "event 2 has no aid of 0 to 2147483647"),
        ('{"ts": 5, "type": "clicks"}', "event 2 has no aid of 0 to 2147483647"),
        ('{"aid": 1, "ts": 5.5, "type": "clicks"}', "event 2 has no ts in whole milliseconds"),
        ('{"aid": 1, "ts": -5, "type": "clicks"}', "event 2 has no ts in whole milliseconds"),
        ('{"aid": 1, "type": "clicks"}', "event 2 has no ts in whole milliseconds"),
        ('{"aid": 1, "ts": 5, "type": "view"}', "event 2 has none of the types"),
        ('{"aid": 1, "ts": 5}', "event 2 has none of the types clicks, carts, orders"),
        ("null", "event 2 has no aid of 0 to 2147483647"),
    ],
)
def test_an_event_that_is_none_is_named(told: str, detail: str, tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    first = '{"aid": 1, "ts": 5, "type": "clicks"}'
    file.write_text(f'{GOOD}\n{{"session": 2, "events": [{first}, {told}]}}\n')
    refused = refusal(file)
    assert [problem["line"] for problem in refused.problems] == [2]
    assert detail in refused.detail


def test_ten_lines_are_named_and_the_others_counted(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text("{\n" * 25)
    refused = refusal(file)
    assert [problem["line"] for problem in refused.problems] == list(range(1, 11))
    assert refused.problem_count == 25


def test_lines_are_numbered_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK_BYTES", 200)
    file = write_raw(tmp_path / "raw.jsonl", [(n, [event(1, 1)]) for n in range(1, 40)])
    with file.open("a") as sink:
        sink.write("{\n")
    assert refusal(file).problems[0]["line"] == 40


def test_a_session_that_stands_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    one = write_raw(tmp_path / "a.jsonl", [TRAIN, (3, [event(1, 1)])])
    two = write_raw(tmp_path / "b.jsonl", [(2, []), (4, []), (3, [event(1, 2)])])
    for files in ([one, two], [two, one]):
        with pytest.raises(RawFileRefused) as refused:
            prepare(files, tmp_path / "out", cuts=cut_in_the_middle, days=None)
        assert refused.value.detail == "session 3 is there already, on line 2 of a.jsonl"
        assert refused.value.facts["file"] == str(two)
        assert refused.value.problems[0]["line"] == 3
        assert refused.value.code == "duplicate-session"


def test_a_session_that_stands_twice_in_a_file_is_refused(tmp_path: Path) -> None:
    file = write_raw(tmp_path / "raw.jsonl", [TRAIN, (2, []), (2, [event(1, 1)])])
    assert refusal(file).detail == "session 2 is there already, on line 2"


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_an_archive_cut_anywhere_but_between_two_parts_is_refused_as_cut(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "raw.jsonl"
    texts = [b'{"session":1,"events":[]}\n' * 9, b'{"session":2,"events":[]}\n']
    first, second = map(pack, texts)
    for end in range(4, len(first + second) + 1):
        file.write_bytes((first + second)[:end])
        # What ends where a part ends is a whole file for all that anybody can tell.
        if end in (len(first), len(first + second)):
            assert b"".join(blocks(file)) == b"".join(texts[: 1 if end == len(first) else 2])
            continue
        with pytest.raises(RawFileRefused) as refused:
            list(blocks(file))
        # The first byte alone of another gzip member may be anything.
        codes = ["archive-truncated", *["archive-corrupt"] * (end == len(first) + 1)]
        assert refused.value.code in codes
    # Too short to be known as an archive, it is not text of sessions either.
    for end in range(1, 4):
        file.write_bytes(first[:end])
        assert refusal(file).code in ("bad-json", "archive-truncated")


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(b"{}\n") + b"more of it",
        zstd.compress(b"{}\n") + b"more of it",
        gzip.compress(b"{}\n")[:-8] + bytes(8),
        zstd.compress(b"{}\n", options=CHECKED)[:-4] + bytes(4),
        b"\x28\xb5\x2f\xfd\x01\x58\x07\x01\x00\x00",
        b"\x28\xb5\x2f\xfd\x00" + bytes([18 << 3]) + b"\x01\x00\x00",
    ],
    ids=["gzip and more", "zstd and more", "gzip checked", "zstd checked", "dictionary", "window"],
)
def test_a_broken_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_bytes(content)
    assert refusal(file).code == "archive-corrupt"


def test_frames_that_hold_no_text_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc"
    file.write_bytes(skipped + zstd.compress(b"{}\n") + skipped + zstd.compress(b"[]\n") + skipped)
    assert b"".join(blocks(file)) == b"{}\n[]\n"


def test_more_text_than_is_allowed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl.gz"
    file.write_bytes(gzip.compress((GOOD + "\n").encode() * 1000))
    assert refusal(file, most_bytes=1000).code == "too-large"


def test_a_file_without_an_event_is_refused(tmp_path: Path) -> None:
    file = write_raw(tmp_path / "raw.jsonl", [(1, []), (2, [])])
    assert refusal(file).code == "empty-file"


def test_unusual_spelling_is_read_as_well(tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_bytes(
        b'\r\n{"events":[{"type":"carts","ts":5,"aid":1,"page":"a"},'
        b'{"aid":2,"ts":6,"type":"orders"}],"session":4,"user":{"a":[1]}}\r\n\n'
    )
    made = prepare([file], tmp_path / "out", cuts=cut_in_the_middle, days=None)
    assert lines(made.test) == [{"session": 4, "events": [event(1, 5, "carts")]}]
    assert lines(made.labels) == [{"session": 4, "labels": {"orders": [2]}}]
    assert made.sessions.to_list() == [4]
    assert made.sessions.dtype == pl.Int32
