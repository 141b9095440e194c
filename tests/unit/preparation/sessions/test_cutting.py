"""Cuts of sessions: known answers, and every place as likely."""

from __future__ import annotations

import hashlib
import hmac

import polars as pl
import pytest

from podium.preparation.sessions import cutting, keyed_cuts, seeded_key

KEY = b"a secret of the organizer"


def test_a_cut_is_the_keyed_hash_modulo_the_places_there_are() -> None:
    for session, length in ((12_899_779, 9), (0, 2), (2**31 - 1, 495)):
        digest = hmac.digest(KEY, f"cut {session}".encode(), hashlib.sha256)
        expected = int.from_bytes(digest[:8], "big") % (length - 1) + 1
        cut = keyed_cuts(KEY)(pl.Series([session], dtype=pl.Int32), pl.Series([length]))
        assert cut.to_list() == [expected]


def test_every_place_is_as_likely() -> None:
    sessions = pl.int_range(60_000, dtype=pl.Int32, eager=True)
    cuts = keyed_cuts(KEY)(sessions, pl.repeat(7, 60_000, dtype=pl.Int64, eager=True))
    counts = dict(cuts.value_counts().iter_rows())
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    # Five standard deviations of a count of 10,000: the key is fixed, so it is so or it is not.
    assert all(abs(count - 10_000) < 460 for count in counts.values())


def test_a_session_is_cut_alike_whatever_surrounds_it() -> None:
    sessions, lengths = pl.Series([7, 8, 9], dtype=pl.Int32), pl.Series([50, 60, 70])
    together = keyed_cuts(KEY)(sessions, lengths)
    alone = [keyed_cuts(KEY)(sessions[i : i + 1], lengths[i : i + 1])[0] for i in (2, 1, 0)]
    assert together.to_list() == alone[::-1]


def test_words_beyond_the_last_multiple_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """With words of 3 bits, five places and the words 5 to 7, the next word decides."""
    monkeypatch.setattr(cutting, "_WORDS", 8)
    words = [7, 5, 6, 6], [5, 4, 0, 0]
    digests = [b"".join(word.to_bytes(8, "big") for word in row) for row in words]
    asked: list[bytes] = []

    def digest(text: bytes) -> bytes:
        asked.append(text)
        return digests[len(asked) - 1]

    assert cutting._slowly(digest, b"42", 5) == 5
    assert asked == [b"42", b"42 2"]


def test_seeds_are_keys_that_differ() -> None:
    assert seeded_key(1) == seeded_key(1)
    assert len({seeded_key(seed) for seed in range(50)}) == 50
