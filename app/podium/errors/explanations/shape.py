"""The shape of an explanation."""

from __future__ import annotations

from typing import NamedTuple


class Explanation(NamedTuple):
    """The meaning of a code, in words for people: a title, why it happens, and what to do about
    it."""

    title: str
    reason: str
    remedy: str
