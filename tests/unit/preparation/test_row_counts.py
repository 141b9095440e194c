"""Rows of delimited texts, counted by their bytes, beside the standard library's reader."""

from __future__ import annotations

import csv
import io
import random
import re

import pytest

from podium.scoring.containers.csv_rows import BadQuote, RowCounter, plainly_quoted, whole_rows

PIECES = ['"', '""', ",", ";", "\n", "\r\n", "a", "ü", " ", "", "1", '5"']


def texts(seed: int, count: int) -> list[str]:
    """Texts of pieces that mean something to a reader, good ones and others."""
    draw = random.Random(seed)
    return ["".join(draw.choices(PIECES, k=draw.randrange(14))) for _ in range(count)]


def long_texts(seed: int, count: int) -> list[str]:
    """Texts of many rows, most of them good, with fields that are enclosed or not."""
    draw = random.Random(seed)

    def field() -> str:
        content = "".join(draw.choices(PIECES, k=draw.randrange(5)))
        if draw.random() < 0.5:
            return '"' + content.replace('"', '""') + '"'
        return "x" * draw.randrange(20) + re.sub(r'^"+|[,\r\n]', "", content)

    made = []
    for _ in range(count):
        end, width = draw.choice(("\n", "\r\n")), draw.randint(1, 3)
        rows = [",".join(field() for _ in range(width)) for _ in range(draw.randrange(30))]
        text = end.join([*rows, ""])
        place = draw.randrange(len(text) + 1)
        place -= text[place - 1 : place] == "\r"
        made.append(text[:place] + draw.choice(("", "", '"', ",")) + text[place:])
    return made


def rows_of(text: str) -> list[list[str]] | None:
    """The rows by the standard library, without blank lines at the end; None where it objects."""
    try:
        return list(csv.reader(io.StringIO(without_end(text), newline="\n"), strict=True))
    except csv.Error:
        return None


def without_end(text: str) -> str:
    """The text up to the end of its last line with more than blanks."""
    content = text.rstrip()
    end = text.find("\n", len(content))
    return text if end < 0 and content else text[: end + 1] if content else ""


def counted(text: str, *, at: int) -> RowCounter | None:
    """The rows of a text that comes in two pieces; None where it is refused."""
    raw = text.encode()
    counter = RowCounter(",")
    try:
        for piece in (raw[:at], raw[at:]):
            counter.add(piece)
        counter.finish()
    except BadQuote:
        return None
    return counter


@pytest.mark.parametrize("is_compiled", [True, False])
def test_rows_are_those_of_the_standard_library(
    is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr("podium.scoring.containers.csv_rows.kernel", lambda: None)
    good = 0
    made = [*texts(1, 6_000), *long_texts(2, 1_000)]
    for number, text in enumerate(made):
        known = rows_of(text)
        found = counted(text, at=number % 71)
        if known is None or found is None:
            assert (known, found) == (None, None), repr(text)
            continue
        good += 1
        assert found.rows == len(known), repr(text)
        widths = [max(1, len(row)) for row in known]
        assert found.is_even == (len(set(widths)) < 2), repr(text)
        assert rows_of(plainly_quoted(without_end(text).encode(), ",").decode()) == known, repr(
            text
        )
    assert 0.3 * len(made) < good < 0.9 * len(made)


def test_blocks_end_at_the_end_of_rows() -> None:
    blocks = [b'1,"a\n', b"b\n", b'c"\n2,x\n', b'3,"y"']
    parts = list(whole_rows(blocks, ","))
    assert [text for text, _ in parts] == [b'1,"a\nb\nc"\n2,x\n', b'3,"y"']
    assert [counter.rows for _, counter in parts] == [2, 1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n1,"x" y\n', 2),
        ('a,b\n1,2\n3,"x\ny\n', 3),
        ('a,b\n1,"x\ny"z\n', 2),
    ],
)
def test_the_line_of_a_bad_quote_is_where_its_field_begins(text: str, line: int) -> None:
    with pytest.raises(BadQuote) as refused:
        list(whole_rows([text.encode()], ","))
    assert refused.value.line == line
