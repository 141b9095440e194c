"""Assigns sessions to splits: public, private or ignored. By session, never by row."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import polars as pl

from podium.scoring.kernel.hashing import keyed_hashes
from podium.scoring.kernel.library import kernel
from podium.scoring.repeating import repeat

IGNORED, PUBLIC, PRIVATE, ALL = 0, 1, 2, 3
"""Values of the column `split` of a canonical ground truth. `ALL` is the only split of one that is
not divided."""

BOTH = 4
"""The split of table rows that are both public and private, such as labels to learn from."""

SPLIT_NAMES = {PUBLIC: "public", PRIVATE: "private", ALL: "all"}
"""The splits that are scored, by their value."""

USAGE_SIDES = {"public": PUBLIC, "private": PRIVATE, "ignored": IGNORED}
"""The words of a column `Usage`, in lower case; that of a table may also say “both”."""

_ALL_HASHES = 2**64

_MIN_PUBLIC, _MAX_PUBLIC = 0.05, 0.95


def uneven(counts: Mapping[int, int], words: str) -> Iterator[str]:
    """Warns where nearly all units, described by `words`, are in one split.

    >>> list(uneven({PUBLIC: 1, PRIVATE: 99}, "pairs")), list(uneven({PUBLIC: 1, PRIVATE: 1}, ""))
    (['1.0% of the pairs are public'], [])
    """
    share = counts[PUBLIC] / (counts[PUBLIC] + counts[PRIVATE])
    if not _MIN_PUBLIC <= share <= _MAX_PUBLIC:
        yield f"{share:.1%} of the {words} are public"


@dataclass(frozen=True)
class SplitRule:
    """A rule that divides sessions into splits.

    `hash`: the first eight bytes of HMAC-SHA256(secret, session id as text), read as a fraction of
    2**64, are compared with `public_fraction`: below is public. `usage`: the organizer's column
    `Usage` defines it. `whole`: one split named `all`, for offline use.
    """

    kind: Literal["hash", "usage", "whole"]
    secret: bytes = b""
    public_fraction: Decimal | None = None

    @property
    def warning_of_unused_column(self) -> str:
        """A warning that a column `Usage` exists and does not divide the sessions."""
        warning = "of the column Usage only Ignored counts: the competition is split otherwise"
        hint = "" if self.kind == "whole" else " (the setting “split” may be “usage”)"
        return warning + hint

    def of_sessions(self, sessions: pl.Series) -> pl.Series:
        """Computes the UInt8 side of each session, for the kinds that need no `Usage` column."""
        if self.kind == "whole":
            return repeat(ALL, len(sessions), pl.UInt8)
        if self.kind != "hash" or self.public_fraction is None:
            raise ValueError("only a hash with a fraction, or a whole, says where sessions go")
        # Eight bytes are compared: a fraction is given with a few digits, not to 2**-64.
        threshold = int(self.public_fraction * _ALL_HASHES)
        if not 0 < threshold < _ALL_HASHES:
            return repeat(PUBLIC if threshold else PRIVATE, len(sessions), pl.UInt8)
        is_public = self._hashes(sessions.cast(pl.String)) < threshold
        public, private = (repeat(side, len(sessions), pl.UInt8) for side in (PUBLIC, PRIVATE))
        return public.zip_with(is_public, private).rename("")

    def _hashes(self, texts: pl.Series) -> pl.Series:
        functions = kernel()
        if functions is not None:
            return keyed_hashes(functions, self.secret, texts)
        keyed = hmac.new(self.secret, digestmod=hashlib.sha256)
        hashes = []
        for text in texts.cast(pl.Binary):
            digest = keyed.copy()
            digest.update(text)
            hashes.append(int.from_bytes(digest.digest()[:8], "big"))
        return pl.Series(hashes, dtype=pl.UInt64)
