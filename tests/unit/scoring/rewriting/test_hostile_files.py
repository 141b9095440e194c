"""Files that a form could misread, or rewrite at great cost: pandas' headers, printed tuples, many
digits, blank lines without end."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.engine import validate
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.rewriting.separators import pieces_of, with_commas
from podium.scoring.rewriting.spelling import fields_by
from podium.scoring.task import Objective, Task
from tests.builders.scoring.spelled.forms import LIST_FORMS

PLAIN = ("separators", "no-header", "containers", "utf-16")
NUMBERS = PublishedIds(pl.Series([0, 1], dtype=pl.Int32), ("",))
TEXTS = PublishedIds(pl.Series(["a", "c"]), ("",))


def task(*forms: str, ids: str = "integer") -> Task:
    objective = Objective("", Decimal(1), "recall@2")
    kinds = {"query_ids": ids, "item_ids": ids, "missing_rows": "zero"}
    return Task((objective,), id_column="user", forms=forms, **kinds)  # type: ignore[arg-type]


def verdict(content: bytes, asked: Task, folder: Path, published: PublishedIds = NUMBERS) -> object:
    """The counts of a good file; the line and code of the first problem of any other."""
    file = folder / "file"
    file.write_bytes(content)
    try:
        return validate(file, task=asked, published=published, scratch=folder)
    except FileRejected as rejected:
        first = rejected.rejection.problems[0]
        return first.line, str(first.code)


@pytest.mark.parametrize("text", ["0,1\n0,5\n1,3\n", "0;1\n0;5\n0;6\n1;3\n", "0,1\n1,3 4\n"])
def test_numbered_columns_of_pandas_are_no_row(text: str, tmp_path: Path) -> None:
    for forms in (PLAIN, LIST_FORMS):
        assert verdict(text.encode(), task(*forms), tmp_path) == (1, "header-mismatch")
    assert verdict(text.replace("0", "7", 1).encode(), task(*PLAIN), tmp_path) == (1, "unknown-id")
    good = {"rows": 2, "missing": 0, "empty": 0}
    for content in (b"0,2\n1,3 4\n", b"1,0\n0,3 4\n"):
        assert verdict(content, task(*PLAIN), tmp_path) == good


PRINTED = ["('b', 'd')", "('b',)", "(b, d)", "{b, d}", "'b', 'd'", "'b'", "'b'; 'd'", "(b; d)"]


@pytest.mark.parametrize("printed", PRINTED)
def test_printed_tuples_sets_and_quotes_are_no_items(printed: str, tmp_path: Path) -> None:
    asked = task("cell-lists", ids="string")
    for text in (
        f'user,labels\na,"{printed}"\nc,"b, d"\n',
        f'user,labels\na,"b, d"\nc,"{printed}"\n',
    ):
        found = verdict(text.encode(), asked, tmp_path, TEXTS)
        assert isinstance(found, tuple), found
        assert found[1] == "bad-label"


SCORES = {
    "1764590000000000001": (2, "bad-number"),
    "-9007199254740993": (2, "bad-number"),
    "9007199254740992": None,
    "1e20": None,
    "-0.12345678901234567890": None,
}


@pytest.mark.parametrize("score", SCORES)
def test_whole_scores_that_doubles_do_not_distinguish_are_refused(
    score: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"user,item,score\n0,3,{score}\n0,5,-1e99\n1,3,1\n".encode()
    found = verdict(text, task("item-rows"), tmp_path)
    assert found == (SCORES[score] or {"rows": 2, "missing": 0, "empty": 0})
    monkeypatch.setattr("podium.scoring.lists.reading.kernel", lambda: None)
    assert verdict(text, task("item-rows"), tmp_path) == found


@pytest.mark.parametrize(
    "pack",
    [
        bz2.compress,
        lambda text: lzma.compress(b"") + lzma.compress(text),
        lambda text: gzip.compress(b"") + gzip.compress(text),
        lambda text: gzip.compress(text[:1]) + gzip.compress(text[1:]),
    ],
    ids=["bz2 of several inputs", "empty stream of xz", "empty member of gzip", "mark in two"],
)
def test_a_mark_is_found_however_a_container_begins(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    rng = random.Random(1)
    rows = "".join(
        f"{user},{rng.randrange(10**9)} {rng.randrange(10**9)}\n" for user in range(9000)
    )
    published = PublishedIds(pl.Series(range(9000), dtype=pl.Int32), ("",))
    packed = pack(f"user,labels\n{rows}".encode("utf-16"))
    assert len(packed) > 1 << 16
    good = {"rows": 9000, "missing": 0, "empty": 0}
    assert verdict(packed, task(*PLAIN), tmp_path, published) == good


def test_lines_are_rewritten_alike_alone_and_together() -> None:
    rng = random.Random(2)
    for sign in (b"\t", b";", b"::"):
        for _ in range(1500):
            parts = [sign, sign, b"\n", b"\n", b"\r\n", b"a", b"7", b",", b'"', b" ", b":", b"\xc3"]
            text = b"".join(rng.choices(parts, k=rng.randrange(40)))
            alone = [with_commas(line, sign) for line in text.split(b"\n")]
            assert with_commas(text, sign) == b"\n".join(alone), (text, sign)
            for line in text.split(b"\n"):
                if not set(line) & set(b',"'):
                    assert with_commas(line, sign) == b",".join(fields_by(line, sign))


def test_pieces_are_whole_lines_and_the_block() -> None:
    rng = random.Random(3)
    for most in (3, 3000, 400_000):
        block = b"\n".join(b"x" * rng.randrange(most) for _ in range(40)) + b"\n" * rng.randrange(3)
        pieces = list(pieces_of(block))
        assert b"".join(pieces) == block
        assert all(piece.endswith(b"\n") for piece in pieces[:-1])
        assert all(len(piece) <= (256 << 10) + most for piece in pieces)


HOSTILE = {
    "a quote in each block": (
        b"user;labels\n1;2\n",
        b"\n" * (1 << 20) + b'"',
        PLAIN,
        (3, "blank-line"),
    ),
    "a quote in each line": (
        b"user;labels\n",
        b'a;"\n' * (1 << 18),
        PLAIN,
        (1004, "too-many-rows"),
    ),
    "blank lines beside a column": (b"user;n;labels\n1;0;2\n", b"\n" * (1 << 20), LIST_FORMS, None),
    "blank lines of JSON": (b'{"user":1,"labels":[2]}\n', b"\n" * (1 << 20), LIST_FORMS, None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_rewriting_takes_little_memory(name: str, tmp_path: Path) -> None:
    begin, repeated, forms, problem = HOSTILE[name]
    content = gzip.compress(begin + repeated * 8)
    tracemalloc.start()
    found = verdict(content, task(*forms), tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == (problem or {"rows": 1, "missing": 1, "empty": 0})
    # The lines of a block as a list would take more than 50 MB each.
    assert peak < 60 << 20
