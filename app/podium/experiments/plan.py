"""Assigns users to groups with planned shares, by a salted hash."""

from __future__ import annotations

import hmac
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

MAX_GROUPS = 20

_NUMBERS = 1 << 64


@dataclass(frozen=True, slots=True)
class Plan:
    """Groups in order, and the share of users of each; the shares add up to 1."""

    groups: tuple[str, ...]
    shares: tuple[Fraction, ...]

    @classmethod
    def of(cls, weights: Mapping[str, Fraction | int]) -> Plan:
        """Computes shares in proportion to the weights, which are more than 0.

        >>> Plan.of({"old": 75, "new": 25}).shares
        (Fraction(3, 4), Fraction(1, 4))
        """
        whole = sum(weights.values())
        return cls(tuple(weights), tuple(Fraction(each) / whole for each in weights.values()))

    @classmethod
    def equal(cls, groups: Sequence[str]) -> Plan:
        """Plans the same share for each group."""
        return cls.of(dict.fromkeys(groups, 1))


@dataclass(frozen=True, slots=True)
class HashedAssignment:
    """Assigns each user to a group by a hash of the user alone, independently of other users and of
    order.

    The first eight bytes of HMAC-SHA256 (key: the salt; message: the user), big-endian, divided by
    2^64, are a number from 0 to 1. The groups, in their order, take intervals as long as their
    shares.
    """

    plan: Plan
    salt: bytes
    bounds: tuple[int, ...]

    @classmethod
    def by(cls, plan: Plan, salt: str) -> HashedAssignment:
        """Creates the assignment of a plan with this salt."""
        ends = list(accumulate(plan.shares))[:-1]
        bounds = tuple(end.numerator * _NUMBERS // end.denominator for end in ends)
        return cls(plan, salt.encode("utf-8", "surrogateescape"), bounds)

    def group_of(self, user: bytes) -> str:
        """Finds the group of a user.

        >>> assignment = HashedAssignment.by(Plan.equal(["old", "new"]), "test 1")
        >>> [assignment.group_of(user) for user in (b"ada", b"bob", b"eve")]
        ['old', 'new', 'new']
        """
        digest = hmac.digest(self.salt, user, "sha256")
        number = int.from_bytes(digest[:8], "big")
        return self.plan.groups[bisect_right(self.bounds, number)]
