"""Baselines that learn nothing about a user's taste: popular, recent and random items."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import polars as pl
import scipy.sparse

from podium.baselines.matrix.interactions import CodedInteractions, Whole
from podium.baselines.matrix.model import Known, QueriedUsers, Recommender
from podium.baselines.matrix.ranking import NONE, free
from podium.errors import InvalidInput
from podium.otto.draws import Draws


def popular(known: Known) -> Recommender:
    """Recommends the items with most interactions: the same for every user, except for excluded
    items."""
    return Recommender(_nothing, known.popular)


def recent(known: Known) -> Recommender:
    """Recommends the user's own items, the latest first, where seen items are not excluded; then
    the items with most interactions among the newest."""
    interactions = known.interactions
    if interactions.time is None:
        raise InvalidInput("recent goes by times: name their column with --timestamp.")
    own = _latest(interactions, known.settings.length)

    def recommend(queried: QueriedUsers, left_out: scipy.sparse.csr_matrix) -> Whole:
        # The items excluded from a list are all items of the user, or none.
        has_own = (queried.rows >= 0) & (np.diff(left_out.indptr) == 0)
        lists = np.full((len(queried.rows), known.settings.length), NONE, np.int64)
        lists[has_own] = own[queried.rows[has_own]]
        return lists

    return Recommender(recommend, _newest(interactions, known))


def random(known: Known) -> Recommender:
    """Draws distinct items at random, every set with equal probability, by the user's id and the
    seed."""
    length, draws = known.settings.length, Draws(known.settings.seed)

    def recommend(queried: QueriedUsers, left_out: scipy.sparse.csr_matrix) -> Whole:
        key = pl.Series(values=[_number(each) for each in queried.ids], dtype=pl.UInt64)
        count = left_out.shape[1] - np.diff(left_out.indptr).astype(np.int64)
        chosen = np.full((len(count), 0), NONE, np.int64)
        rows = np.arange(len(count))
        lists = np.full((len(count), length), NONE, np.int64)
        for at in range(length):
            # One of those that are neither excluded nor drawn before, by its number among them.
            bits = (draws.bits(str(at), key) // (1 << 32)).to_numpy().astype(np.int64)
            nth = (bits * np.maximum(count - at, 0)) >> 32
            nth += (chosen - np.arange(at) <= nth[:, None]).sum(axis=1)
            nth = np.where(at < count, nth, left_out.shape[1])
            chosen = np.sort(np.column_stack([chosen, nth]), axis=1)
            lists[:, at] = free(left_out, rows, nth)
        return lists

    return Recommender(recommend, known.popular)


def _nothing(queried: QueriedUsers, left_out: scipy.sparse.csr_matrix) -> Whole:
    return np.full((len(queried.rows), 0), NONE, np.int64)


def _number(text: str) -> int:
    """Hashes an id to 64 bits."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _newest(interactions: CodedInteractions, known: Known) -> Whole:
    """Sorts all items by their interactions among the newest; ties go to the more popular."""
    time = interactions.time
    assert time is not None, "there are times"
    size, share = len(interactions.items), math.ceil(known.settings.newest * len(time))
    if not share:
        return known.popular
    # All of the same time as the oldest of them count, so that the order of rows does not matter.
    least = np.partition(time, len(time) - share)[len(time) - share]
    counts = np.bincount(interactions.item[time >= least], minlength=size)
    return known.popular[np.argsort(-counts[known.popular], kind="stable")]


def _latest(interactions: CodedInteractions, length: int) -> Whole:
    """Finds each user's distinct items, the latest first; at equal times the first by id."""
    assert interactions.time is not None, "there are times"
    order = np.lexsort((interactions.item, -interactions.time, interactions.user))
    user, item = interactions.user[order], interactions.item[order]
    pairs = user.astype(np.int64) * max(1, len(interactions.items)) + item
    first = np.sort(np.unique(pairs, return_index=True)[1])
    user, item = user[first], item[first]
    at = np.arange(len(user)) - np.searchsorted(user, user)
    lists = np.full((len(interactions.users), length), NONE, np.int64)
    lists[user[at < length], at[at < length]] = item[at < length]
    return lists
