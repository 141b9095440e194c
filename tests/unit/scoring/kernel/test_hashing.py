"""Keyed hashes of texts against those of the standard library."""

from __future__ import annotations

import hmac
import random
from decimal import Decimal

import polars as pl
import pytest

from podium.scoring.kernel.hashing import keyed_hashes
from podium.scoring.kernel.library import compiled
from podium.scoring.splits import PRIVATE, PUBLIC, SplitRule


@pytest.mark.parametrize("key_bytes", [0, 1, 16, 32, 63, 64, 65, 200])
def test_texts_of_any_length_have_the_hashes_of_the_standard_library(key_bytes: int) -> None:
    dice = random.Random(key_bytes)
    key = dice.randbytes(key_bytes)
    # Around 56 and 64 bytes a message gets a block more.
    texts = ["".join(dice.choices("a7_é고", k=length)) for length in range(150) for _ in range(4)]
    found = keyed_hashes(compiled(), key, pl.Series(texts))
    expected = [hmac.digest(key, text.encode(), "sha256")[:8] for text in texts]
    assert [hashed.to_bytes(8, "big") for hashed in found] == expected


@pytest.mark.parametrize("count", [0, 1, 2, 3, 1001])
def test_the_sides_are_the_same_without_the_compiled_functions(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = SplitRule("hash", secret=b"key", public_fraction=Decimal("0.5"))
    sessions = pl.Series(range(7, 7 + count), dtype=pl.Int32)
    sides = rule.of_sessions(sessions)
    monkeypatch.setattr("podium.scoring.splits.kernel", lambda: None)
    assert rule.of_sessions(sessions).equals(sides)


@pytest.mark.parametrize(("fraction", "side"), [(0, PRIVATE), (1, PUBLIC)])
def test_no_fraction_and_all_of_it_put_every_session_on_one_side(fraction: int, side: int) -> None:
    rule = SplitRule("hash", secret=b"key", public_fraction=Decimal(fraction))
    assert set(rule.of_sessions(pl.Series(range(100)))) == {side}
