"""Ranks items by scores, with equal scores in order of items, and fills up short lists."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from podium.baselines.matrix.interactions import Whole

NONE = -1
"""The index that means “no item”, with which short lists are padded."""

CELLS = 1 << 23
"""Scores that are computed at a time: 64 MiB."""


def rows_at_a_time(width: int) -> int:
    """Computes how many rows of this width are scored at a time."""
    return max(1, min(CELLS // max(1, width), 1 << 14))


def best(scores: Whole, length: int) -> tuple[Whole, Whole]:
    """Finds the indices of the largest scores of each row, the largest first and ties by smaller
    index; and the scores. Items with -inf are in no list."""
    count, width = scores.shape
    length = min(length, width)
    if not length or not count:
        return np.full((count, 0), NONE, np.int64), np.zeros((count, 0))
    least = np.partition(scores, width - length, axis=1)[:, width - length]
    rows, places = np.nonzero((scores >= least[:, None]) & (scores > -np.inf))
    found = scores[rows, places]
    order = np.lexsort((places, -found, rows))
    rows, places, found = rows[order], places[order], found[order]
    at = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = at < length
    rows, at = rows[kept], at[kept]
    lists = np.full((count, length), NONE, np.int64)
    weights = np.full((count, length), -np.inf)
    lists[rows, at], weights[rows, at] = places[kept], found[kept]
    return lists, weights


def free(taken: scipy.sparse.csr_matrix, rows: Whole, nth: Whole) -> Whole:
    """Finds for each entry the `nth` column, counted from 0, in which its row of `taken` is empty;
    NONE where there are fewer. The columns of `taken` are sorted in each row."""
    height, width = taken.shape
    row = np.repeat(np.arange(height, dtype=np.int64), np.diff(taken.indptr))
    before = taken.indices - (np.arange(taken.nnz) - taken.indptr[row])
    # `before` never decreases within a row, and with the row in front nowhere.
    key = row * (width + 1) + before
    passed = np.searchsorted(key, rows * (width + 1) + np.minimum(nth, width), side="right")
    place = nth + passed - taken.indptr[rows]
    return np.where(place < width, place, NONE)


def filled_up(lists: Whole, seen: scipy.sparse.csr_matrix, fallback: Whole, length: int) -> Whole:
    """Fills lists up to a length: each is followed by the first items of `fallback` that neither it
    nor `seen` has in that row."""
    have = (lists != NONE).sum(axis=1)
    whole = np.full((len(lists), length), NONE, np.int64)
    whole[:, : lists.shape[1]] = lists[:, :length]
    rows, at = np.nonzero(np.arange(length)[None, :] >= have[:, None])
    if not len(rows):
        return whole
    listed, places = np.nonzero(lists != NONE)
    marks = scipy.sparse.csr_matrix(
        (np.ones(len(listed), bool), (listed, lists[listed, places])), shape=seen.shape
    )
    # The items already taken, as positions in the fallback.
    taken = (marks + seen.astype(bool))[:, fallback].tocsr()
    taken.sort_indices()
    place = free(taken, rows, at - have[rows])
    whole[rows, at] = np.where(place == NONE, NONE, fallback[place])
    return whole
