"""Sides of sessions, and how a canonical ground truth is stored and loaded again."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from podium.scoring.published import PublishedIds
from podium.scoring.splits import PRIVATE, PUBLIC, SplitRule
from podium.scoring.task import OTTO
from podium.scoring.truth.canonical import GroundTruth, GroundTruthCorrupt
from tests.unit.scoring.truth.forms import JSONL, LONG_FORM, SINGLE, read


def test_the_hash_puts_sessions_on_sides_by_secret_and_fraction() -> None:
    rule = SplitRule("hash", secret=b"key", public_fraction=Decimal("0.33"))
    sessions = pl.Series(range(3000), dtype=pl.Int32)
    sides = rule.of_sessions(sessions).to_list()

    def expected(session: int) -> int:
        digest = hmac.new(b"key", str(session).encode(), hashlib.sha256).digest()
        return PUBLIC if int.from_bytes(digest[:8], "big") / 2**64 < 0.33 else PRIVATE

    assert sides == [expected(session) for session in range(3000)]
    assert 0.30 < sides.count(PUBLIC) / 3000 < 0.36
    assert rule.of_sessions(sessions.reverse()).to_list() == sides[::-1]
    other = dataclasses.replace(rule, secret=b"yek").of_sessions(sessions).to_list()
    assert other != sides


@pytest.mark.parametrize("rule", [SplitRule("usage"), SplitRule("hash", secret=b"key")])
def test_a_rule_that_does_not_say_where_sessions_go_puts_none_anywhere(rule: SplitRule) -> None:
    with pytest.raises(ValueError, match="only a hash with a fraction, or a whole"):
        rule.of_sessions(pl.Series([1, 2], dtype=pl.Int32))


def test_a_session_keeps_its_side_in_every_version(tmp_path: Path) -> None:
    rule = SplitRule("hash", secret=b"key", public_fraction=Decimal("0.5"))
    rows = [f"{session},{session % 9}" for session in range(100)]
    first, ids = read(tmp_path, "\n".join(["user,labels", *rows]), task=SINGLE, split=rule)
    second, _ = read(
        tmp_path, "\n".join(["user,labels", *rows[:0:-2]]), task=SINGLE, split=rule, published=ids
    )
    sides = dict(first.frame.select("query", "split").rows())
    assert all(sides[query] == side for query, side in second.frame.select("query", "split").rows())


def test_stored_bytes_are_the_same_for_the_same_content_and_come_back(tmp_path: Path) -> None:
    truth, published = read(tmp_path, JSONL)
    again, _ = read(tmp_path, LONG_FORM)
    path = tmp_path / "truth.parquet"
    sha256 = truth.write(path)
    assert sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert again.write(tmp_path / "again.parquet") == sha256
    loaded = GroundTruth.load(path, sha256=sha256, published=published, task=OTTO)
    assert loaded.frame.equals(truth.frame)
    assert loaded.summary() == truth.summary()


def test_a_changed_byte_is_noticed_on_load(tmp_path: Path) -> None:
    truth, published = read(tmp_path, JSONL)
    path = tmp_path / "truth.parquet"
    sha256 = truth.write(path)
    stored = bytearray(path.read_bytes())
    stored[len(stored) // 2] ^= 1
    path.write_bytes(stored)
    with pytest.raises(GroundTruthCorrupt):
        GroundTruth.load(path, sha256=sha256, published=published, task=OTTO)


def test_a_ground_truth_of_another_competition_is_refused_on_load(tmp_path: Path) -> None:
    truth, published = read(tmp_path, JSONL)
    truth.write(tmp_path / "truth.parquet")
    by_text = dataclasses.replace(OTTO, item_ids="string")
    with pytest.raises(GroundTruthCorrupt, match="not a canonical ground truth of this task"):
        GroundTruth.load(tmp_path / "truth.parquet", sha256=None, published=published, task=by_text)
    fewer = PublishedIds(pl.Series([42], dtype=pl.Int32), OTTO.names)
    with pytest.raises(GroundTruthCorrupt, match="not published"):
        GroundTruth.load(tmp_path / "truth.parquet", sha256=None, published=fewer, task=OTTO)
