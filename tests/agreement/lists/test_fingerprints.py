"""Fingerprints: equal for equal predictions, and close to the truth about how many differ."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import polars as pl
import pytest

from podium.scoring import engine
from podium.scoring.engine import read_truth
from podium.scoring.fingerprint import (
    FileFingerprint,
    FingerprintReader,
    Likeness,
    likeness,
)
from podium.scoring.lists.plan import ListBlock
from podium.scoring.published import PublishedIds
from podium.scoring.splits import SplitRule
from podium.scoring.task import OTTO
from podium.scoring.truth.canonical import GroundTruth
from tests.builders.zstd import zstd

LISTS = 20_000
SEED = 0x1234_5678_9ABC_DEF0


def lists_of(seed: int, count: int = LISTS) -> list[str]:
    """Random lists of ten items."""
    rng = random.Random(seed)
    return [" ".join(str(rng.randrange(10**6)) for _ in range(10)) for _ in range(count)]


def mark(lists: list[str], *, seed: int = SEED, order: list[int] | None = None) -> FileFingerprint:
    """The fingerprint of lists, in blocks of some thousand rows."""
    reader = FingerprintReader(seed=seed, queries=len(lists))
    order = order or list(range(len(lists)))
    parts = []
    for start in range(0, len(order), 7000):
        block = order[start : start + 7000]
        items = [[int(item) for item in lists[n].split()] for n in block]
        lengths = pl.Series(map(len, items), dtype=pl.UInt32)
        flat = pl.Series([item for each in items for item in each], dtype=pl.Int32)
        parts.append(reader.read(ListBlock(pl.Series(block, dtype=pl.UInt32), lengths, flat)))
    return reader.whole(parts)


def changed(lists: list[str], count: int, edit: str, *, seed: int = 1) -> list[str]:
    """The same but for some random lists: `tail` edits their last item, `all` every one."""
    rng = random.Random(seed)
    result = list(lists)
    for place in rng.sample(range(len(lists)), count):
        items = result[place].split()
        result[place] = " ".join([*items[:-1], "7"] if edit == "tail" else ["7"] * 10)
    return result


def beside(one: list[str], other: list[str]) -> Likeness:
    return likeness(mark(one).sketch, mark(other).sketch, queries=len(one))


BASE = lists_of(1)


def test_the_order_of_rows_makes_no_difference() -> None:
    order = list(range(LISTS))
    random.Random(3).shuffle(order)
    assert mark(BASE, order=order) == mark(BASE)


def test_two_lists_that_change_places_make_a_difference() -> None:
    # Of a thousand seeds some let both count towards the same sum.
    for seed in range(1000):
        assert mark(["1", "2"], seed=seed).content != mark(["2", "1"], seed=seed).content


@pytest.mark.parametrize("count", [1, 5, 50])
def test_a_few_different_lists_are_counted(count: int) -> None:
    seen = beside(BASE, changed(BASE, count, "tail"))
    assert seen.changed * LISTS == pytest.approx(count, rel=0.25)
    assert not seen.is_same


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
def test_the_share_of_equal_lists_is_found(share: float) -> None:
    shares = [
        beside(BASE, changed(BASE, int(share * LISTS), "all", seed=seed)).lists for seed in range(5)
    ]
    # The standard error of the mean of five samples of 256 is at most 0.014.
    assert sum(shares) / 5 == pytest.approx(1 - share, abs=0.05)


def test_last_places_leave_heads_alone() -> None:
    seen = beside(BASE, changed(BASE, LISTS // 2, "tail"))
    assert seen.heads == 1.0
    assert seen.lists == pytest.approx(0.5, abs=0.1)
    assert beside(BASE, changed(BASE, LISTS // 2, "all")).heads == pytest.approx(0.5, abs=0.1)


def test_files_of_nothing_in_common_share_nothing() -> None:
    seen = beside(BASE, lists_of(2))
    assert (seen.lists, seen.heads, seen.added) == (0.0, 0.0, 0.0)
    assert seen.changed == 1.0


def test_filling_empty_lists_is_told_from_changing_others() -> None:
    half = [text if n % 2 else "" for n, text in enumerate(BASE)]
    assert beside(half, BASE).added == 1.0
    assert beside(BASE, half).added == 0.0


def test_an_empty_list_predicts_what_a_missing_one_does() -> None:
    empty = [text if n else "" for n, text in enumerate(BASE)]
    assert mark(empty) == mark(BASE, order=list(range(1, LISTS)))


def test_another_seed_looks_at_other_lists() -> None:
    assert mark(BASE, seed=1).sketch != mark(BASE, seed=2).sketch


def test_of_millions_of_lists_a_share_is_looked_at() -> None:
    reader = FingerprintReader(seed=SEED, queries=4 << 20)
    numbers = pl.int_range(4 << 20, dtype=pl.UInt32, eager=True)
    items = pl.Series([1, 2, 3] * (1 << 16), dtype=pl.Int32)
    lengths = pl.repeat(3, 1 << 16, dtype=pl.UInt32, eager=True)
    parts = [reader.read(ListBlock(part, lengths, items)) for part in _blocks(numbers)]
    assert sum(part.hashes.height for part in parts) == pytest.approx(1 << 18, rel=0.02)
    assert sum(len(part.sampled) for part in parts) == 256


def _blocks(numbers: pl.Series) -> list[pl.Series]:
    return [numbers.slice(start, 1 << 16) for start in range(0, len(numbers), 1 << 16)]


def test_a_numbers_fingerprint_is_by_its_place() -> None:
    reader = FingerprintReader(seed=SEED, queries=3)
    one, same, swapped = (
        reader.read_values([pl.Series(values)])
        for values in ([1.0, 2.5, 3.0], [1.00, 2.50, 3.0], [2.5, 1.0, 3.0])
    )
    assert one == same
    assert one.content != swapped.content


@pytest.fixture
def truth(tmp_path: Path) -> tuple[GroundTruth, PublishedIds]:
    file = tmp_path / "truth.jsonl"
    file.write_text(
        '{"session": 1, "labels": {"clicks": 5, "carts": [6], "orders": [7]}}\n'
        '{"session": 2, "labels": {}}\n'
    )
    hidden, ids = read_truth(file, task=OTTO, published=None, split=SplitRule("whole"))
    assert isinstance(hidden, GroundTruth)
    assert isinstance(ids, PublishedIds)
    return hidden, ids


ROWS = [f"{session}_{kind},5 6 {session}" for session in (1, 2) for kind in OTTO.names]
TEXT = "\n".join(["session_type,labels", *ROWS]) + "\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("\n".join(["session_type,labels", *reversed(ROWS)]).encode(), id="reversed"),
        pytest.param(TEXT.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(TEXT.replace("5 6", "5  6").encode(), id="spaces"),
        pytest.param(TEXT.replace(",5", ",05").encode(), id="leading zero"),
        pytest.param(TEXT.replace(",5 6 1", ',"5 6 1"').encode(), id="quoted"),
        pytest.param(gzip.compress(TEXT.encode()), id="gzip"),
        pytest.param(zstd.compress(TEXT.encode()), id="zstd"),
    ],
)
def test_the_same_predictions_in_another_dress_have_the_same_fingerprint(
    tmp_path: Path, truth: tuple[GroundTruth, PublishedIds], content: bytes
) -> None:
    hidden, ids = truth

    def judged(sent: bytes) -> FileFingerprint | None:
        file = tmp_path / "file"
        file.write_bytes(sent)
        scored = engine.judge(
            file, task=OTTO, published=ids, truth=hidden, scratch=tmp_path, fingerprint_seed=SEED
        )
        return scored.fingerprint

    plain = judged(TEXT.encode())
    assert plain is not None
    assert judged(content) == plain
    assert judged(TEXT.replace("5 6 1", "6 5 1").encode()) != plain


def test_a_fingerprint_that_is_not_asked_for_costs_nothing(
    tmp_path: Path, truth: tuple[GroundTruth, PublishedIds]
) -> None:
    file = tmp_path / "file"
    file.write_text(TEXT)
    hidden, ids = truth
    scored = engine.judge(file, task=OTTO, published=ids, truth=hidden, scratch=tmp_path)
    assert scored.fingerprint is None
